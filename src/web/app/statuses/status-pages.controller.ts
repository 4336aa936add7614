import { Get, Param, Post } from '@nestjs/common';
import {
  type BucketUse,
  Input,
  type Json,
  NotFound,
  OptionalId,
  OptionalText,
  type PageAnswer,
  RateLimit,
  RootApi,
  SignedIn,
} from '../../../common/index.js';
import {
  BookmarksService,
  InteractionsService,
  PinsService,
  PollsService,
  ReactionsService,
  ThreadsService,
  StatusView,
  ThreadMutesService,
  VoteBody,
} from '../../../statuses/index.js';
import { SessionPages, type Visit } from '../../frame/session-pages.js';
import { Visiting } from '../../frame/visiting.js';
import { AppStatuses } from './app-statuses.js';
import { threadPage } from './thread.page.js';

const MAX_LENGTH = 100;

/** Has the choices of a vote, by the rules of the API. */
class ActionBody extends VoteBody {
  /** The entry of the list to return to. */
  @OptionalId() at?: string;
  @OptionalText({ max: MAX_LENGTH }) emoji = '';
  /** The poll to vote in. */
  @OptionalText({ max: 20 }) poll = '';
}

/** The limits for one post, which are those of the API. */
const PER_POST = new Map<unknown, BucketUse>([
  ['favourite', 'status_id_action:favourite'],
  ['unfavourite', 'status_id_action:favourite'],
  ['reblog', 'status_id_action:reblog'],
  ['unreblog', 'status_id_action:reblog'],
]);

type Act = (id: string, accountId: string, body: ActionBody) => Promise<unknown>;

/** What the buttons below a post do. */
export type StatusAction = keyof StatusPagesController['actions'];

/** The page of a post for signed-in people, and what they do with posts. */
@RootApi('app/posts')
export class StatusPagesController {
  /** The same services as the API, so the same rules. */
  readonly actions = {
    favourite: (id, me) => this.interactions.favourite(id, me),
    unfavourite: (id, me) => this.interactions.unfavourite(id, me),
    reblog: (id, me) => this.interactions.reblog(id, me),
    unreblog: (id, me) => this.interactions.unreblog(id, me),
    bookmark: (id, me) => this.bookmarks.add(id, me, null),
    unbookmark: (id, me) => this.bookmarks.remove(id, me),
    react: (id, me, { emoji }) => this.reactions.add(id, me, emoji),
    unreact: (id, me, { emoji }) => this.reactions.remove(id, me, emoji),
    vote: (_id, me, body) => this.polls.vote(body.poll, me, body.wanted()),
    pin: (id, me) => this.pins.pin(id, me),
    unpin: (id, me) => this.pins.unpin(id, me),
    'mute-thread': (id, me) => this.mutes.mute(id, me, 0),
    'unmute-thread': (id, me) => this.mutes.unmute(id, me),
  } satisfies Record<string, Act>;

  constructor(
    private readonly pages: SessionPages,
    private readonly shown: AppStatuses,
    private readonly view: StatusView,
    private readonly threads: ThreadsService,
    private readonly interactions: InteractionsService,
    private readonly bookmarks: BookmarksService,
    private readonly reactions: ReactionsService,
    private readonly polls: PollsService,
    private readonly pins: PinsService,
    private readonly mutes: ThreadMutesService,
  ) {}

  /** A post in its thread. A boost leads to its post. */
  @Get(':id')
  @SignedIn()
  show(@Param('id') id: string, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, async ({ t, session }) => {
      const viewerId = session.accountId;
      const [entry, thread] = await Promise.all([this.view.one(id, { viewerId }), this.threads.around(id, viewerId)]);
      const [before, after] = await Promise.all([
        this.view.many(thread.ancestors, { viewerId, place: 'thread' }),
        this.view.many(thread.descendants, { viewerId, place: 'thread' }),
      ]);
      const post = this.shown.shown(entry);
      const parts = (entries: readonly Json[]) => entries.map((each) => this.shown.part(t, each));
      return threadPage(t, session, post, { before: parts(before), after: parts(after) });
    });
  }

  @Post(':id/actions/:action')
  @SignedIn()
  @RateLimit('statuses_actions', ({ action }) => PER_POST.get(action))
  act(
    @Param('id') id: string,
    @Param('action') name: string,
    @Input(ActionBody) body: ActionBody,
    @Visiting() visit: Visit,
  ): Promise<PageAnswer> {
    const { at } = body;
    const act = ({ session }: Visit) => this.actionNamed(name)(id, session.accountId, body);
    return this.pages.act(visit, act, { anchor: at && `post-${at}` });
  }

  private actionNamed(name: string): Act {
    if (!Object.hasOwn(this.actions, name)) throw new NotFound();
    return this.actions[name as StatusAction];
  }
}
