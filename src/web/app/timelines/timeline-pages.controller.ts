import { Get, Param, Post } from '@nestjs/common';
import { ListsService, UsersService } from '../../../accounts/index.js';
import {
  bdi,
  type Html,
  html,
  Input,
  isTag,
  normalizeTag,
  NotFound,
  type PageAnswer,
  type PageContent,
  PageQuery,
  RateLimit,
  RootApi,
  SignedIn,
  type Translator,
} from '../../../common/index.js';
import { BookmarksService, InteractionsService } from '../../../statuses/index.js';
import { TagsService, TimelinesService, UNFILTERED } from '../../../timelines/index.js';
import { actionButton } from '../../parts/forms.part.js';
import { SessionPages, type Visit } from '../../frame/session-pages.js';
import { Visiting } from '../../frame/visiting.js';
import { composeBox } from '../compose/compose-box.part.js';
import { newForm } from '../compose/compose-forms.js';
import { AppStatuses } from '../statuses/app-statuses.js';

/** The timelines of a signed-in person, by the same statements as those of the API. */
@RootApi('app')
export class TimelinePagesController {
  constructor(
    private readonly pages: SessionPages,
    private readonly statuses: AppStatuses,
    private readonly timelines: TimelinesService,
    private readonly users: UsersService,
    private readonly lists: ListsService,
    private readonly tags: TagsService,
    private readonly bookmarks: BookmarksService,
    private readonly interactions: InteractionsService,
  ) {}

  @Get('home')
  @SignedIn()
  @RateLimit('timeline:home')
  home(@Input(PageQuery) query: PageQuery, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, async () => {
      const { accountId: viewerId } = visit.session;
      const [rows, { scope: visibility }] = await Promise.all([
        this.timelines.home(viewerId, query, UNFILTERED),
        this.users.defaults(viewerId),
      ]);
      const posts = await this.statuses.list(visit.t, rows, query, { viewerId, place: 'home' });
      const isFirst = [query.max_id, query.min_id, query.since_id].every((bound) => bound === undefined);
      const box = isFirst && composeBox(visit.t, visit.session, { visibility, key: newForm().key });
      return timelinePage(visit.t, visit.t.text('app.home'), posts, 'user', box);
    });
  }

  @Get('local')
  @SignedIn()
  @RateLimit('timeline:public')
  local(@Input(PageQuery) query: PageQuery, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, async () =>
      timelinePage(visit.t, visit.t.text('app.local'), await this.public(visit, query, true), 'public:local'),
    );
  }

  @Get('federated')
  @SignedIn()
  @RateLimit('timeline:public')
  federated(@Input(PageQuery) query: PageQuery, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, async () =>
      timelinePage(visit.t, visit.t.text('app.federated'), await this.public(visit, query, null), 'public'),
    );
  }

  @Get('bookmarks')
  @SignedIn()
  saved(@Input(PageQuery) query: PageQuery, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, async ({ t, session: { accountId: viewerId } }) => {
      const rows = await this.bookmarks.page(viewerId, query, undefined);
      const posts = await this.statuses.list(t, rows, query, { viewerId }, ({ cursor }) => cursor);
      return timelinePage(t, t.text('app.bookmarks'), posts);
    });
  }

  @Get('favourites')
  @SignedIn()
  favourites(@Input(PageQuery) query: PageQuery, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, async ({ t, session: { accountId: viewerId } }) => {
      const rows = await this.interactions.favourites(viewerId, query);
      const posts = await this.statuses.list(t, rows, query, { viewerId }, ({ cursor }) => cursor);
      return timelinePage(t, t.text('app.favourites'), posts);
    });
  }

  @Get('lists/:id')
  @SignedIn()
  @RateLimit('timeline:list')
  list(@Param('id') id: string, @Input(PageQuery) query: PageQuery, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, async ({ t, session: { accountId: viewerId } }) => {
      const [{ title }, rows] = await Promise.all([
        this.lists.one(viewerId, id),
        this.timelines.list(viewerId, id, query, UNFILTERED),
      ]);
      const edit = html`<p><a href="/app/lists/${id}/members">${t.text('app.list.edit')}</a></p>`;
      const posts = await this.statuses.list(t, rows, query, { viewerId, place: 'home' });
      return timelinePage(t, title, html`${edit} ${posts}`, `list:${id}`);
    });
  }

  @Get('tags/:tag')
  @SignedIn()
  @RateLimit('timeline:tag')
  tag(@Param('tag') name: string, @Input(PageQuery) query: PageQuery, @Visiting() visit: Visit): Promise<PageAnswer> {
    const tag = tagNamed(name);
    return this.pages.open(visit, async ({ t, session: { accountId: viewerId } }) => {
      const [rows, isFollowed] = await Promise.all([
        this.timelines.tagged(viewerId, query, UNFILTERED, { any: [tag], all: [], none: [] }),
        this.tags.isFollowed(viewerId, tag),
      ]);
      const follow = actionButton({
        path: `/app/tags/${encodeURIComponent(tag)}/${isFollowed ? 'unfollow' : 'follow'}`,
        label: t.text(isFollowed ? 'app.tag.unfollow' : 'app.tag.follow'),
        classes: 'quiet',
      });
      const posts = await this.statuses.list(t, rows, query, { viewerId, place: 'public' });
      return timelinePage(
        t,
        `#${tag}`,
        html`<p>${follow}</p>
          ${posts}`,
      );
    });
  }

  @Post('tags/:tag/follow')
  @SignedIn()
  followTag(@Param('tag') name: string, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.act(visit, ({ session }) => this.tags.follow(session.accountId, tagNamed(name)));
  }

  @Post('tags/:tag/unfollow')
  @SignedIn()
  unfollowTag(@Param('tag') name: string, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.act(visit, ({ session }) => this.tags.unfollow(session.accountId, tagNamed(name)));
  }

  private async public({ t, session }: Visit, query: PageQuery, local: true | null): Promise<Html> {
    const viewerId = session.accountId;
    const rows = await this.timelines.public(viewerId, query, { ...UNFILTERED, local }, undefined);
    return this.statuses.list(t, rows, query, { viewerId, place: 'public' });
  }
}

/** @throws NotFound for a text that is no tag */
function tagNamed(name: string): string {
  const tag = normalizeTag(name.replace(/^#/, ''));
  if (!isTag(tag)) throw new NotFound();
  return tag;
}

/** A timeline; `stream` names the event stream of its new posts, and `above` stands above them. */
function timelinePage(t: Translator, title: string, posts: Html, stream?: string, above?: Html | false): PageContent {
  return {
    title,
    main: html`<h1>${bdi(title)}</h1>
      ${above}
      <div ${stream !== undefined && html`data-stream="${stream}" data-more="${t.text('app.fresh')}"`}>${posts}</div>`,
  };
}
