import { Get, Param, Post } from '@nestjs/common';
import {
  AccountsService,
  AccountView,
  ListChangesBody,
  ListsService,
  REPLIES_POLICIES,
  type RepliesPolicy,
} from '../../../accounts/index.js';
import {
  BooleanLike,
  inOrder,
  Input,
  NotFound,
  OneOf,
  OptionalId,
  OptionalText,
  type PageAnswer,
  type PageContent,
  PageQuery,
  RootApi,
  SignedIn,
} from '../../../common/index.js';
import { SessionPages, type Visit } from '../../frame/session-pages.js';
import { Visiting } from '../../frame/visiting.js';
import { AppPeople } from '../people/app-people.js';
import { type ListDraft, LISTS_PATH, listsPage, membersPage, TITLE_LENGTH } from './lists.page.js';

const MAX_HANDLE_LENGTH = 512;

class ListFormBody {
  @OptionalText({ max: TITLE_LENGTH }) title = '';
  @OneOf(REPLIES_POLICIES) replies_policy: RepliesPolicy = 'list';
  @BooleanLike() exclusive = false;

  get draft(): ListDraft {
    return { title: this.title, repliesPolicy: this.replies_policy, exclusive: this.exclusive };
  }

  /**
   * All settings, by the rules of the API.
   * @throws Unprocessable for a blank title
   */
  get changes(): ListDraft {
    const { title, replies_policy, exclusive } = this;
    Object.assign(new ListChangesBody(), { title, replies_policy, exclusive }).changes();
    return this.draft;
  }
}

class MemberFormBody {
  /** The account to add, by its handle. */
  @OptionalText({ max: MAX_HANDLE_LENGTH }) handle = '';
  /** The id of the account to remove. */
  @OptionalId() account?: string;
}

/** What a page of a list shows beside the stored list. */
interface Typed {
  readonly query?: PageQuery;
  readonly draft?: ListDraft;
  readonly handle?: string;
}

const membersPath = (id: string) => `${LISTS_PATH}/${id}/members`;

/** The pages on which people look after their lists. */
@RootApi('app/lists')
export class ListPagesController {
  constructor(
    private readonly pages: SessionPages,
    private readonly people: AppPeople,
    private readonly lists: ListsService,
    private readonly accounts: AccountsService,
    private readonly view: AccountView,
  ) {}

  @Get()
  @SignedIn()
  all(@Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, () => this.listsPage(visit));
  }

  @Post()
  @SignedIn()
  create(@Input(ListFormBody) form: ListFormBody, @Visiting() visit: Visit): Promise<PageAnswer> {
    const act = async ({ session }: Visit) => {
      const { id } = await this.lists.create(session.accountId, form.changes);
      return membersPath(id);
    };
    const retry = (alarm: string) => this.listsPage(visit, form.draft, alarm);
    return this.pages.submit(visit, act, retry);
  }

  @Get(':id/members')
  @SignedIn()
  members(@Param('id') id: string, @Input(PageQuery) query: PageQuery, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, () => this.membersPage(visit, id, { query }));
  }

  @Post(':id')
  @SignedIn()
  update(
    @Param('id') id: string,
    @Input(ListFormBody) form: ListFormBody,
    @Visiting() visit: Visit,
  ): Promise<PageAnswer> {
    const act = async ({ session }: Visit) => {
      await this.lists.update(session.accountId, id, form.changes);
      return membersPath(id);
    };
    const retry = (alarm: string) => this.membersPage(visit, id, { draft: form.draft }, alarm);
    return this.pages.submit(visit, act, retry);
  }

  @Post(':id/members')
  @SignedIn()
  add(
    @Param('id') id: string,
    @Input(MemberFormBody) { handle }: MemberFormBody,
    @Visiting() visit: Visit,
  ): Promise<PageAnswer> {
    const act = async ({ session }: Visit) => {
      const account = await this.accounts.stored(handle.trim());
      if (!account) throw new NotFound();
      await this.lists.addMembers(session.accountId, id, [account.id]);
      return membersPath(id);
    };
    const retry = (alarm: string) => this.membersPage(visit, id, { handle }, alarm);
    return this.pages.submit(visit, act, retry);
  }

  @Post(':id/members/remove')
  @SignedIn()
  remove(
    @Param('id') id: string,
    @Input(MemberFormBody) form: MemberFormBody,
    @Visiting() visit: Visit,
  ): Promise<PageAnswer> {
    const { account } = form;
    return this.pages.act(visit, ({ session }) =>
      this.lists.removeMembers(session.accountId, id, account === undefined ? [] : [account]),
    );
  }

  @Post(':id/delete')
  @SignedIn()
  delete(@Param('id') id: string, @Visiting() visit: Visit): Promise<PageAnswer> {
    const act = async ({ session }: Visit) => {
      await this.lists.remove(session.accountId, id);
      return LISTS_PATH;
    };
    return this.pages.submit(visit, act, (alarm) => this.listsPage(visit, undefined, alarm));
  }

  private async listsPage({ t, session }: Visit, draft?: ListDraft, alarm?: string): Promise<PageContent> {
    return listsPage(t, session, await this.lists.all(session.accountId), draft, alarm);
  }

  private async membersPage(
    { t, session }: Visit,
    id: string,
    { query = new PageQuery(), draft, handle = '' }: Typed,
    alarm?: string,
  ): Promise<PageContent> {
    const { accountId: viewerId } = session;
    const [list, page] = await Promise.all([this.lists.one(viewerId, id), this.lists.members(viewerId, id, query)]);
    const ids = page.items.map((row) => row.id);
    const members = inOrder(ids, await this.view.render(page.items, { viewerId, withRelationships: true }));
    return membersPage(
      t,
      session,
      {
        id,
        draft: draft ?? list,
        members: this.people.listed(t, members),
        next: page.items.length < query.limit ? undefined : page.cursors?.last,
        handle,
      },
      alarm,
    );
  }
}
