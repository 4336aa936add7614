import { Get, Param, Post } from '@nestjs/common';
import { AccountsService } from '../../../accounts/index.js';
import {
  AdminStatusView,
  type AdminUserJson,
  HandledReportsService,
  type ReportPageJson,
  ReportView,
  type StaffReportJson,
} from '../../../admin/index.js';
import { type Auth, Input, type PageAnswer, type PageContent, RootApi, SignedIn } from '../../../common/index.js';
import { ModeratedStatusesService, type StatusJson } from '../../../statuses/index.js';
import type { Visit } from '../../frame/session-pages.js';
import { Visiting } from '../../frame/visiting.js';
import { StaffPages } from '../frame/staff-pages.js';
import { StaffShown } from '../frame/staff-shown.js';
import { reportPath, reportRow } from '../parts/report-row.part.js';
import {
  type FullReport,
  type ReportDraft,
  type ReportedStatus,
  reportPage,
  type ReportRights,
} from './report.page.js';
import { ReportAssignmentBody, ReportNoteBody, ReportsPageQuery, ReportStateBody } from './reports.dto.js';
import { reportsPage } from './reports.page.js';
import { objectOf } from '../../parts/rendered.js';

const PAGE_SIZE = 30;

/** Reports for the staff, by the services of the API. */
@RootApi('app/staff/reports')
export class ReportPagesController {
  constructor(
    private readonly pages: StaffPages,
    private readonly shown: StaffShown,
    private readonly reports: HandledReportsService,
    private readonly view: ReportView,
    private readonly accounts: AccountsService,
    private readonly statuses: ModeratedStatusesService,
    private readonly statusView: AdminStatusView,
  ) {}

  @Get()
  @SignedIn('admin:read:reports')
  list(@Input(ReportsPageQuery) query: ReportsPageQuery, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, async ({ t, auth }) => {
      const { state, mine, account: accountId, page } = query;
      const filter = {
        ...(state !== 'all' && { state }),
        assignedId: mine ? (auth.accountId ?? undefined) : undefined,
        accountId,
      };
      const { ids, total } = await this.reports.page(filter, PAGE_SIZE, (page - 1) * PAGE_SIZE);
      const { reports } = objectOf<ReportPageJson>(await this.view.page(ids, total, auth));
      const rows = reports.map((report) => reportRow(report, this.shown));
      return reportsPage(t, rows, { page, size: PAGE_SIZE, total }, query);
    });
  }

  @Get(':id')
  @SignedIn('admin:read:reports')
  show(@Param('id') id: string, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, () => this.page(visit, id));
  }

  @Post(':id/state')
  @SignedIn('admin:write:reports')
  changeState(
    @Param('id') id: string,
    @Input(ReportStateBody) body: ReportStateBody,
    @Visiting() visit: Visit,
  ): Promise<PageAnswer> {
    const { state } = body;
    return this.pages.act(visit, ({ auth }) => this.reports.changeStates(auth, [{ id, state }]));
  }

  @Post(':id/assign')
  @SignedIn('admin:write:reports')
  assign(
    @Param('id') id: string,
    @Input(ReportAssignmentBody) body: ReportAssignmentBody,
    @Visiting() visit: Visit,
  ): Promise<PageAnswer> {
    return this.pages.act(visit, async ({ auth, session }) => {
      const own = body.mine ? await this.accounts.byId(session.accountId) : undefined;
      await this.reports.assign(auth, [{ id, nickname: own?.nickname ?? null }]);
    });
  }

  @Post(':id/notes')
  @SignedIn('admin:write:reports')
  addNote(
    @Param('id') id: string,
    @Input(ReportNoteBody) body: ReportNoteBody,
    @Visiting() visit: Visit,
  ): Promise<PageAnswer> {
    const { content } = body;
    const add = async ({ auth }: Visit) => {
      await this.reports.addNote(auth, id, content);
      return reportPath(id);
    };
    const retry = (alarm: string) => this.page(visit, id, { alarm, note: content });
    return this.pages.submit(visit, add, retry);
  }

  @Post(':id/notes/:note_id/delete')
  @SignedIn('admin:write:reports')
  deleteNote(@Param('id') id: string, @Param('note_id') noteId: string, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.act(visit, ({ auth }) => this.reports.removeNote(auth, id, noteId));
  }

  private async page({ t, session, auth, may }: Visit, id: string, draft?: ReportDraft): Promise<PageContent> {
    const report = await this.full(objectOf<StaffReportJson>(await this.view.one(id, auth)), auth);
    const rights: ReportRights = {
      change: may('admin:write:reports'),
      readAccounts: may('admin:read:accounts'),
      changeAccounts: may('admin:write:accounts'),
      readStatuses: may('admin:read:statuses'),
      changeStatuses: may('admin:write:statuses'),
    };
    return reportPage(t, session, report, rights, draft);
  }

  private async full(report: StaffReportJson, auth: Auth): Promise<FullReport> {
    const { account, content: comment, rules, notes } = report;
    return {
      ...reportRow(report, this.shown),
      comment,
      rules,
      user: 'is_confirmed' in account ? (account as AdminUserJson) : undefined,
      statuses: await this.statusesOf(report, auth),
      notes: notes.map(({ id, content, created_at: createdAt, user }) => ({
        id,
        content,
        createdAt,
        author: user === null ? undefined : this.shown.person(user),
      })),
    };
  }

  private async statusesOf({ statuses: copies }: StaffReportJson, auth: Auth): Promise<ReportedStatus[]> {
    const ids = copies.map(({ id }) => id);
    const current = await this.statusView.many(await this.statuses.byIds(ids, auth.accountId ?? ''), auth);
    const byId = new Map(current.map((json) => objectOf<StatusJson>(json)).map((status) => [status.id, status]));
    return copies.map((copy) => {
      const now = byId.get(copy.id);
      return { copy: this.shown.status(copy), now: now && this.shown.status(now) };
    });
  }
}
