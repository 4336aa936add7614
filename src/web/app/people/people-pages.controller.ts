import { Get, Param, Post } from '@nestjs/common';
import {
  AccountNotesService,
  type AccountRow,
  AccountsService,
  AccountView,
  BlocksService,
  DomainBlocksService,
  EndorsementsService,
  FollowsService,
  ListsService,
  RelatedAccountsService,
} from '../../../accounts/index.js';
import {
  Input,
  Invalid,
  NotFound,
  type PageAnswer,
  PageQuery,
  RateLimit,
  RootApi,
  SignedIn,
} from '../../../common/index.js';
import { PinsService } from '../../../statuses/index.js';
import { TimelinesService } from '../../../timelines/index.js';
import { SessionPages, type Visit } from '../../frame/session-pages.js';
import { Visiting } from '../../frame/visiting.js';
import { AppStatuses } from '../statuses/app-statuses.js';
import { AppPeople, type ShownMember } from './app-people.js';
import { followersPage } from './followers.page.js';
import { FollowFormBody, PersonActionFormBody, PersonQuery, type PersonTab } from './people.dto.js';
import type { OwnList } from './person-actions.part.js';
import { personPage, type PersonEntries } from './person.page.js';

type Act = (me: string, target: AccountRow, form: PersonActionFormBody) => Promise<unknown>;

/** What the buttons and forms of a profile do, beside those of its follow. */
export type PersonAction = keyof PeoplePagesController['actions'];

/** The pages of accounts for signed-in people, and what is between two accounts. */
@RootApi('app/people')
export class PeoplePagesController {
  /** The same services as the API, so the same rules. */
  readonly actions = {
    accept: (me, { id }) => this.follows.accept(me, id),
    reject: (me, { id }) => this.follows.reject(me, id),
    'remove-follower': (me, { id }) => this.follows.removeFollower(me, id),
    mute: (me, { id }, { notifications, duration }) => this.blocks.mute(me, id, { notifications, expiresIn: duration }),
    unmute: (me, { id }) => this.blocks.unmute(me, id),
    block: (me, { id }, { duration }) => this.blocks.block(me, id, { expiresIn: duration }),
    unblock: (me, { id }) => this.blocks.unblock(me, id),
    'block-server': (me, target) => this.domains.block(me, serverOf(target)),
    'unblock-server': (me, target) => this.domains.unblock(me, serverOf(target)),
    endorse: (me, { id }) => this.endorsements.endorse(me, id),
    unendorse: (me, { id }) => this.endorsements.unendorse(me, id),
    note: (me, { id }, { comment }) => this.notes.write(me, id, comment),
    list: (me, { id }, { list }) => this.lists.addMembers(me, list, [id]),
    unlist: (me, { id }, { list }) => this.lists.removeMembers(me, list, [id]),
  } satisfies Record<string, Act>;

  constructor(
    private readonly pages: SessionPages,
    private readonly people: AppPeople,
    private readonly statuses: AppStatuses,
    private readonly accounts: AccountsService,
    private readonly view: AccountView,
    private readonly related: RelatedAccountsService,
    private readonly timelines: TimelinesService,
    private readonly pins: PinsService,
    private readonly follows: FollowsService,
    private readonly blocks: BlocksService,
    private readonly domains: DomainBlocksService,
    private readonly notes: AccountNotesService,
    private readonly endorsements: EndorsementsService,
    private readonly lists: ListsService,
  ) {}

  /** `:id` is an id or a handle, local or remote. */
  @Get(':id')
  @SignedIn()
  show(@Param('id') id: string, @Input(PersonQuery) query: PersonQuery, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, async () => {
      const row = await this.people.find(id, visit.auth);
      const member = await this.people.member(row, visit.auth);
      const [posts, lists] = await Promise.all([this.posts(visit, row, query), this.listsWith(visit, member)]);
      return personPage(visit.t, visit.session, member, posts, lists);
    });
  }

  @Get(':id/followers')
  @SignedIn()
  followers(
    @Param('id') id: string,
    @Input(PageQuery) query: PageQuery,
    @Visiting() visit: Visit,
  ): Promise<PageAnswer> {
    return this.showRelated(id, query, 'followers', visit);
  }

  @Get(':id/following')
  @SignedIn()
  following(
    @Param('id') id: string,
    @Input(PageQuery) query: PageQuery,
    @Visiting() visit: Visit,
  ): Promise<PageAnswer> {
    return this.showRelated(id, query, 'following', visit);
  }

  @Post(':id/follow')
  @SignedIn()
  @RateLimit('relations_actions', 'relation_id_action', 'follows')
  follow(
    @Param('id') id: string,
    @Input(FollowFormBody) form: FollowFormBody,
    @Visiting() visit: Visit,
  ): Promise<PageAnswer> {
    const { reblogs, notify } = form;
    return this.act(visit, id, (me, target) => this.follows.follow(me, target.id, { reblogs, notify }));
  }

  @Post(':id/unfollow')
  @SignedIn()
  @RateLimit('relations_actions', 'relation_id_action')
  unfollow(@Param('id') id: string, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.act(visit, id, async (me, target) => {
      if (!(await this.follows.unfollow(me, target.id))) throw new Invalid('Not subscribed!');
    });
  }

  @Post(':id/actions/:action')
  @SignedIn()
  do(
    @Param('id') id: string,
    @Param('action') action: string,
    @Input(PersonActionFormBody) form: PersonActionFormBody,
    @Visiting() visit: Visit,
  ): Promise<PageAnswer> {
    return this.act(visit, id, (me, target) => this.actionNamed(action)(me, target, form));
  }

  private act(
    visit: Visit,
    id: string,
    act: (me: string, target: AccountRow) => Promise<unknown>,
  ): Promise<PageAnswer> {
    return this.pages.act(visit, async ({ session: { accountId: me } }) =>
      act(me, await this.accounts.visible(id, me)),
    );
  }

  private actionNamed(name: string): Act {
    if (!Object.hasOwn(this.actions, name)) throw new NotFound();
    return this.actions[name as PersonAction];
  }

  private showRelated(
    id: string,
    query: PageQuery,
    kind: 'followers' | 'following',
    visit: Visit,
  ): Promise<PageAnswer> {
    return this.pages.open(visit, async ({ t, auth, session: { accountId: viewerId } }) => {
      const row = await this.accounts.owner(id, viewerId);
      const page = await this.related[kind](row, query, viewerId);
      const [member, shown] = await Promise.all([
        this.people.member(row, auth),
        this.view.page(page, { viewerId, withRelationships: true }),
      ]);
      const next = page.items.length < query.limit ? undefined : page.cursors?.last;
      return followersPage(t, viewerId, member.profile.person, kind, {
        people: this.people.listed(t, shown.items),
        next,
        isHidden: viewerId !== row.id && (kind === 'followers' ? row.hideFollowers : row.hideFollows),
      });
    });
  }

  /** A page of the posts; the first one has the pinned ones before all others. */
  private async posts({ t, session }: Visit, { id }: AccountRow, query: PersonQuery): Promise<PersonEntries> {
    const { accountId: viewerId } = session;
    const { tab } = query;
    const filter = filterOf(tab);
    const context = { viewerId, place: 'account' } as const;
    const isFirst = tab === 'posts' && query.max_id === undefined && query.min_id === undefined;
    const [rows, pinned] = await Promise.all([
      this.timelines.ofAccount(id, viewerId, query, filter),
      isFirst ? this.pins.ofAuthor(id, viewerId, filter) : [],
    ]);
    const pins = await this.statuses.page(pinned, query, context);
    const page = await this.statuses.page(rows, query, context);
    const [shownPins, shown] = [pins, page].map(({ entries }) => entries.map((entry) => this.statuses.shown(entry)));
    const cursors = new Set(shownPins?.map(({ cursor }) => cursor));
    return {
      tab,
      pinned: pins.entries.map((entry) => this.statuses.part(t, entry)),
      posts: page.entries
        .filter((_, at) => !cursors.has(shown?.[at]?.cursor ?? ''))
        .map((entry) => this.statuses.part(t, entry)),
      next: page.next,
    };
  }

  /** Only accounts that the person follows, or has asked to, can be on lists. */
  private async listsWith({ session }: Visit, { profile, relationship }: ShownMember): Promise<OwnList[]> {
    if (!relationship || !(relationship.following || relationship.requested)) return [];
    const [all, on] = await Promise.all([
      this.lists.all(session.accountId),
      this.lists.withMember(session.accountId, profile.person.id),
    ]);
    const ids = new Set(on.map(({ id }) => id));
    return all.map(({ id, title }) => ({ id, title, isOn: ids.has(id) }));
  }
}

function filterOf(tab: PersonTab) {
  return {
    withMuted: false,
    excludeVisibilities: [],
    onlyMedia: tab === 'media',
    reblogs: 'all',
    excludeReplies: tab === 'posts',
    tagged: null,
  } as const;
}

/** @throws NotFound for an account of this server */
function serverOf({ domain }: AccountRow): string {
  if (domain === null) throw new NotFound();
  return domain;
}
