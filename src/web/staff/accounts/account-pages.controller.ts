import { Get, Param } from '@nestjs/common';
import { ModeratedAccountsService } from '../../../accounts/index.js';
import { AdminUserView, HandledReportsService, type ReportPageJson, ReportView } from '../../../admin/index.js';
import { type Auth, Input, type PageAnswer, RootApi, SignedIn } from '../../../common/index.js';
import { TokensService } from '../../../oauth/index.js';
import type { Visit } from '../../frame/session-pages.js';
import { Visiting } from '../../frame/visiting.js';
import { StaffPages } from '../frame/staff-pages.js';
import { StaffShown } from '../frame/staff-shown.js';
import { type ReportRow, reportRow } from '../parts/report-row.part.js';
import { staffAccountPage } from './account.page.js';
import { AccountsPageQuery, PageOfListQuery } from './accounts.dto.js';
import { type ListedAccount, accountsPage, signUpsPage } from './accounts.page.js';
import { objectOf } from '../../parts/rendered.js';

const PAGE_SIZE = 40;
/** The reports on the page of an account; the list of reports has all. */
const SHOWN_REPORTS = 5;

/** Accounts for the staff, by the services of the API. */
@RootApi('app/staff')
export class AccountPagesController {
  constructor(
    private readonly pages: StaffPages,
    private readonly shown: StaffShown,
    private readonly accounts: ModeratedAccountsService,
    private readonly view: AdminUserView,
    private readonly tokens: TokensService,
    private readonly reports: HandledReportsService,
    private readonly reportView: ReportView,
  ) {}

  /** The accounts that wait for approval. */
  @Get('sign_ups')
  @SignedIn('admin:read:accounts')
  signUps(@Input(PageOfListQuery) { page }: PageOfListQuery, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, async ({ t }) => {
      const { listed, total } = await this.page({ filters: ['need_approval'] }, page);
      return signUpsPage(t, listed, { page, size: PAGE_SIZE, total });
    });
  }

  @Get('accounts')
  @SignedIn('admin:read:accounts')
  list(@Input(AccountsPageQuery) query: AccountsPageQuery, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, async ({ t }) => {
      const { listed, total } = await this.page(query.search(), query.page);
      return accountsPage(t, listed, { page: query.page, size: PAGE_SIZE, total }, query);
    });
  }

  @Get('accounts/:id')
  @SignedIn('admin:read:accounts')
  show(@Param('id') id: string, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, async ({ t, session, auth, may }) => {
      const user = this.view.one(await this.accounts.named(id));
      const [signIns, reports] = await Promise.all([
        user.local ? this.tokens.signInsOf(user.id) : [],
        this.reportsAbout(user.id, auth),
      ]);
      const person = this.shown.user(user);
      return staffAccountPage(t, session, {
        user,
        person,
        signIns,
        reports,
        isChangeable: may('admin:write:accounts'),
      });
    });
  }

  private async page(search: Parameters<ModeratedAccountsService['page']>[0], page: number) {
    const { accounts, count } = await this.accounts.page(search, PAGE_SIZE, (page - 1) * PAGE_SIZE);
    const listed = accounts.map((row): ListedAccount => {
      const user = this.view.one(row);
      return { user, person: this.shown.user(user) };
    });
    return { listed, total: count };
  }

  private async reportsAbout(accountId: string, auth: Auth): Promise<ReportRow[]> {
    const { ids, total } = await this.reports.page({ accountId }, SHOWN_REPORTS, 0);
    const { reports } = objectOf<ReportPageJson>(await this.reportView.page(ids, total, auth));
    return reports.map((report) => reportRow(report, this.shown));
  }
}
