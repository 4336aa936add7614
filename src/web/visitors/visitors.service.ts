import { Inject, Injectable } from '@nestjs/common';
import {
  type AccountJson,
  type AccountRow,
  AccountsService,
  AccountView,
  DirectoryService,
  isActive,
  RelatedAccountsService,
} from '../../accounts/index.js';
import { isTag, normalizeTag, NotFound, PageQuery } from '../../common/index.js';
import { AnonymousAccess } from '../../config/index.js';
import { MediaUrls } from '../../media/index.js';
import { Brand, ENV, type Env, isFlakeId } from '../../platform/index.js';
import {
  type PageRow,
  PinsService,
  Replies,
  ThreadsService,
  type StatusJson,
  StatusView,
} from '../../statuses/index.js';
import { type TagJson, TagView, TimelinesService, TrendsService } from '../../timelines/index.js';
import {
  type ShownContext,
  type ShownStatus,
  shownStatus,
  type ShownPerson,
  shownPerson,
  type ShownProfile,
  shownProfile,
} from '../parts/shown.js';
import { objectOf } from '../parts/rendered.js';
import type { StatusPage } from '../parts/status.part.js';
import type { Trends, TrendingTag } from './explore.page.js';
import type { PeoplePage, Relation } from './people.page.js';
import type { ProfileTab } from './visitor.dto.js';

/** Posts on a page for visitors, and in a feed. */
const PAGE = 20;

/** Accounts on the page of all accounts. */
const PEOPLE = 12;

/** Hashtags on the page of what is popular. */
const TAGS = 10;

/** The conversation around a post. */
export interface ShownThread {
  /** The ancestors, from the first on. */
  readonly before: readonly ShownStatus[];
  readonly after: readonly ShownStatus[];
}

/** Posts with a tag. */
export interface TagPage extends StatusPage {
  /** The stored name. */
  readonly name: string;
}

/** Posts of an account. */
export interface ProfileStatuses extends StatusPage {
  readonly tab: ProfileTab;
  /** Those that its owner pinned, on the first page; some are among the others too. */
  readonly pinned: readonly ShownStatus[];
}

/** Posts of people here, and on the first page some of the people. */
export interface HerePage extends StatusPage {
  readonly people: readonly ShownPerson[];
}

/**
 * Reads for visitors: exactly what the API shows to anonymous callers, by the same statements and the same view
 * (threat V5). Members-only content is hidden: pages and feeds answer 404.
 */
@Injectable()
export class VisitorsService {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly brand: Brand,
    private readonly anonymous: AnonymousAccess,
    private readonly accounts: AccountsService,
    private readonly directory: DirectoryService,
    private readonly relations: RelatedAccountsService,
    private readonly people: AccountView,
    private readonly timelines: TimelinesService,
    private readonly ranking: TrendsService,
    private readonly tags: TagView,
    private readonly threads: ThreadsService,
    private readonly pins: PinsService,
    private readonly view: StatusView,
    private readonly files: MediaUrls,
  ) {}

  /**
   * A local account that is visible to everyone, by its name or id.
   * @throws NotFound
   */
  async account(nameOrId: string): Promise<AccountRow> {
    const account = await this.find(nameOrId);
    if (!account) throw new NotFound('Not found');
    return account;
  }

  /** Like {@link account}; undefined when visitors see none. */
  async find(nameOrId: string): Promise<AccountRow | undefined> {
    if (this.anonymous.closesProfile(true)) return undefined;
    const byId = isFlakeId(nameOrId) ? await this.accounts.byId(nameOrId) : undefined;
    const account = byId ?? (await this.accounts.stored(nameOrId));
    return account?.domain === null && isActive(account) ? account : undefined;
  }

  /** The profile of an account. */
  async profile(account: AccountRow): Promise<ShownProfile> {
    return shownProfile(await this.people.object(account, {}), this.context);
  }

  /** The public and unlisted posts of an account without boosts, for its feed. */
  async feedOf(account: AccountRow, maxId: string | undefined): Promise<StatusPage> {
    const filter = { ...EVERYTHING, reblogs: 'none' } as const;
    return this.page(await this.timelines.ofAccount(account.id, undefined, before(maxId), filter));
  }

  /** Public posts and boosts of an account, for its page; the first page of its posts has the pinned ones too. */
  async statusesOf(account: AccountRow, tab: ProfileTab, maxId: string | undefined): Promise<ProfileStatuses> {
    const isFirst = tab === 'posts' && maxId === undefined;
    const [page, pinned] = await Promise.all([
      this.timelines.ofAccount(account.id, undefined, before(maxId), TABS[tab]).then((rows) => this.page(rows)),
      isFirst ? this.pins.ofAuthor(account.id, undefined, EVERYTHING).then((rows) => this.page(rows)) : NO_POSTS,
    ]);
    return { ...page, tab, pinned: pinned.posts };
  }

  /** The followers or followees of an account; none where its owner hides them. */
  async related(account: AccountRow, relation: Relation, maxId: string | undefined): Promise<PeoplePage> {
    const page = await this.people.page(
      await this.relations[relation](account, Object.assign(new PageQuery(), before(maxId))),
      {},
    );
    const next = page.items.length === PAGE ? page.cursors?.last : undefined;
    return { people: page.items.map((person) => shownPerson(objectOf<AccountJson>(person), this.context)), next };
  }

  /**
   * The hashtags and posts of the week, and accounts that want to be found, latest author first.
   * @throws NotFound where the timeline is for members only
   */
  async trends(): Promise<Trends> {
    requireOpen(!this.anonymous.closesTimeline(false));
    const first = { limit: PAGE, offset: 0 };
    const [tags, posts, people] = await Promise.all([
      this.ranking.tags(undefined, { ...first, limit: TAGS }).then((rows) => this.tags.many(rows, undefined)),
      this.ranking.statuses(undefined, first).then((rows) => this.page(rows)),
      this.directory.page({ order: 'active', local: false, limit: PEOPLE, offset: 0 }),
    ]);
    const shown = await this.people.objects(people, {});
    return {
      tags: tags.map((tag) => trendingTag(objectOf<TagJson>(tag))),
      people: shown.map((person) => shownProfile(person, this.context).person),
      posts: posts.posts,
    };
  }

  /**
   * A post that is visible to everyone.
   * @throws NotFound
   */
  async post(id: string): Promise<ShownStatus> {
    requireOpen(!this.anonymous.closesServer);
    return this.shown(await this.view.object(id, { viewerId: undefined }));
  }

  /**
   * The visible posts around a visible post.
   * @throws NotFound
   */
  async thread(id: string): Promise<ShownThread> {
    const thread = await this.threads.around(id);
    const { ancestors, descendants } = await this.view.threadObject(thread, { viewerId: undefined });
    return {
      before: ancestors.map((status) => this.shown(status)),
      after: descendants.map((status) => this.shown(status)),
    };
  }

  /**
   * The public posts with a tag.
   * @throws NotFound for invalid and unused tags, and where the timeline is for members only
   */
  async tagged(name: string, maxId: string | undefined): Promise<TagPage> {
    requireOpen(!this.anonymous.closesTimeline(false));
    const tag = normalizeTag(name.replace(/^#/, ''));
    if (!isTag(tag)) throw new NotFound('Not found');
    const filter = { ...EVERYTHING, replies: Replies.all, local: null };
    const choice = { any: [tag], all: [], none: [] };
    const page = await this.page(await this.timelines.tagged(undefined, before(maxId), filter, choice));
    const isEmpty = page.posts.length === 0 && page.next === undefined;
    if (isEmpty && maxId === undefined) throw new NotFound('Not found');
    return { ...page, name: tag };
  }

  /**
   * Public posts of local accounts without replies, and discoverable accounts, latest author first.
   * @throws NotFound where the timeline is for members only
   */
  async here(maxId: string | undefined): Promise<HerePage> {
    requireOpen(!this.anonymous.closesTimeline(true));
    const filter = { ...EVERYTHING, reblogs: 'none', excludeReplies: true, replies: Replies.all, local: true } as const;
    const [page, people] = await Promise.all([
      this.timelines.public(undefined, before(maxId), filter, undefined).then((rows) => this.page(rows)),
      maxId === undefined ? this.directory.page({ order: 'active', local: true, limit: PEOPLE, offset: 0 }) : [],
    ]);
    const shown = await this.people.objects(people, {});
    return { ...page, people: shown.map((person) => shownProfile(person, this.context).person) };
  }

  private async page(rows: readonly PageRow[]): Promise<StatusPage> {
    const entries = await this.view.objects(rows, { viewerId: undefined });
    const next = rows.length === PAGE ? rows.at(-1)?.feedId : undefined;
    return { posts: entries.map((entry) => this.shown(entry)), next };
  }

  private shown(status: StatusJson): ShownStatus {
    return shownStatus(status, this.context);
  }

  private get context(): ShownContext {
    return { brand: this.brand.word, baseUrl: this.env.baseUrl, isTrusted: (url) => this.files.isTrusted(url) };
  }
}

function requireOpen(isOpen: boolean): void {
  if (!isOpen) throw new NotFound('Not found');
}

const EVERYTHING = {
  withMuted: false,
  excludeVisibilities: [],
  onlyMedia: false,
  reblogs: 'all',
  excludeReplies: false,
  tagged: null,
} as const;

const TABS = {
  posts: { ...EVERYTHING, excludeReplies: true },
  replies: EVERYTHING,
  media: { ...EVERYTHING, onlyMedia: true },
} as const;

const NO_POSTS: StatusPage = { posts: [], next: undefined };

/** With the most people of a day: the numbers of the days cannot be added, since a person may use it on several. */
function trendingTag({ name, url, history }: TagJson): TrendingTag {
  return { name, url, people: Math.max(0, ...history.map(({ accounts }) => Number(accounts))) };
}

function before(maxId: string | undefined) {
  return { max_id: maxId, limit: PAGE };
}
