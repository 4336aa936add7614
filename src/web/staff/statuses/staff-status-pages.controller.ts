import { Get, Param, Post } from '@nestjs/common';
import { ModeratedAccountsService } from '../../../accounts/index.js';
import { AdminStatusesService, AdminStatusView } from '../../../admin/index.js';
import {
  BooleanLike,
  Input,
  NotFound,
  OptionalText,
  type PageAnswer,
  PageNumber,
  RootApi,
  SignedIn,
} from '../../../common/index.js';
import { ModeratedStatusesService, type PageRow, type StatusJson } from '../../../statuses/index.js';
import type { Visit } from '../../frame/session-pages.js';
import { Visiting } from '../../frame/visiting.js';
import { listFrom, StaffPages } from '../frame/staff-pages.js';
import { StaffShown } from '../frame/staff-shown.js';
import { STAFF_PATH } from '../frame/staff-sections.js';
import { type StatusListFilter, type StatusRights, staffStatusesPage, staffStatusPage } from './staff-statuses.page.js';
import { objectOf } from '../../parts/rendered.js';

const PAGE_SIZE = 20;
const MAX_NAME = 500;
const MAX_WORD = 64;

class StaffStatusesQuery {
  @OptionalText({ max: MAX_NAME }) account = '';
  @OptionalText({ max: MAX_NAME }) server = '';
  @BooleanLike() local = false;
  @BooleanLike() every = false;
  @PageNumber() page = 1;
}

class StaffStatusBody {
  @BooleanLike() sensitive?: boolean;
  /** The service checks it. */
  @OptionalText({ max: MAX_WORD }) visibility?: string;
}

/** Posts for the staff, by the services of the API. */
@RootApi('app/staff/posts')
export class StaffStatusPagesController {
  constructor(
    private readonly pages: StaffPages,
    private readonly shown: StaffShown,
    private readonly accounts: ModeratedAccountsService,
    private readonly statuses: ModeratedStatusesService,
    private readonly changes: AdminStatusesService,
    private readonly view: AdminStatusView,
  ) {}

  @Get()
  @SignedIn('admin:read:statuses')
  list(@Input(StaffStatusesQuery) query: StaffStatusesQuery, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, async () => {
      const { page } = query;
      const { rows, total } = await this.rows(query, visit, (page - 1) * PAGE_SIZE);
      const statuses = (await this.view.many(rows, visit.auth)).map((json) =>
        this.shown.status(objectOf<StatusJson>(json)),
      );
      return staffStatusesPage(visit.t, statuses, { page, size: PAGE_SIZE, total }, query, rightsOf(visit));
    });
  }

  @Get(':id')
  @SignedIn('admin:read:statuses')
  show(@Param('id') id: string, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, async () => {
      const { t, auth } = visit;
      const [status] = await this.view.many([await this.statuses.byId(id, auth.accountId ?? '')], auth);
      if (!status) throw new NotFound();
      return staffStatusPage(t, this.shown.status(objectOf<StatusJson>(status)), rightsOf(visit));
    });
  }

  @Post(':id/change')
  @SignedIn('admin:write:statuses')
  change(
    @Param('id') id: string,
    @Input(StaffStatusBody) body: StaffStatusBody,
    @Visiting() visit: Visit,
  ): Promise<PageAnswer> {
    const { sensitive, visibility } = body;
    return this.pages.act(visit, ({ auth }) => this.changes.change(auth, id, { sensitive, visibility }));
  }

  /** Returns to the page of the form; from the page of the post itself to the list. */
  @Post(':id/delete')
  @SignedIn('admin:write:statuses')
  remove(@Param('id') id: string, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.act(visit, ({ auth }) => this.changes.delete(auth, id), listFrom(visit, `${STAFF_PATH}/posts`));
  }

  /** The list without an author or a server is not counted: the page after a full one may be empty. */
  private async rows(
    { account, server, local, every }: StatusListFilter,
    { auth }: Visit,
    offset: number,
  ): Promise<{ rows: PageRow[]; total: number }> {
    const filter = { everyVisibility: every, withReblogs: false };
    const options = { limit: PAGE_SIZE, offset, viewerId: auth.accountId ?? '' };
    if (account !== '') {
      const { id } = await this.accounts.named(account);
      return this.statuses.pageOfAuthor(id, filter, options);
    }
    if (server !== '') return this.statuses.pageOfServer(server, filter, options);
    const rows = await this.statuses.page(filter, local, options);
    return { rows, total: offset + rows.length + (rows.length === PAGE_SIZE ? 1 : 0) };
  }
}

function rightsOf({ may }: Visit): StatusRights {
  return { change: may('admin:write:statuses'), readAccounts: may('admin:read:accounts') };
}
