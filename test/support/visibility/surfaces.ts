import {
  atHome,
  atItsTime,
  both,
  by,
  DOMAIN,
  hasFile,
  shownToVisitors,
  inNotifications,
  inQuotes,
  inSearch,
  inThreads,
  inTimelines,
  inTimelinesWithMuted,
  isDirect,
  isLocal,
  isOnLocalTimeline,
  isPublic,
  isRemote,
  mayBeNotified,
  mayRead,
  nobody,
  forFollowers,
  forSignedIn,
  inListsOfOthers,
  forAuthor,
  forUploader,
  inOwnList,
  openToVisitors,
  overActivityPub,
  REMOTE,
  type Rule,
  type Viewer,
} from './oracle.js';
import { canaryOf, NEEDLE, NOTHING, ownOf, type Planted, type Scene, TAG } from './planted.js';

/** A place that shows posts. */
export type Surface = PointSurface | PageSurface;

interface Reading {
  readonly name: string;
  /** The posts that it shows to each viewer. */
  readonly rule: Rule;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether it is a page of people who are signed in to the pages. */
  readonly inPages?: boolean;
}

/** A request about one post. */
export interface PointSurface extends Reading {
  readonly kind: 'point';
  readonly path: (post: Planted, viewer: Viewer, scene: Scene) => string;
  /** The posts for which it exists. */
  readonly has: (post: Planted) => boolean;
  /** The text in the answer that reveals the post, or something attached to it. */
  readonly trace: (post: Planted) => string;
  /** Whether a refused viewer gets exactly the answer for an unknown id. Otherwise the answer shows something else. */
  readonly isExact: boolean;
}

/** A request that shows many posts. */
export interface PageSurface extends Reading {
  readonly kind: 'page';
  readonly path: (viewer: Viewer, scene: Scene) => string;
}

type PointPath = PointSurface['path'];
type PointOptions = Partial<Pick<PointSurface, 'has' | 'trace' | 'headers' | 'inPages'>>;

const isPosted = ({ id }: Planted) => id !== NOTHING;
/** A path that exists only for viewers of the post. */
const at = (name: string, path: PointPath, rule: Rule, options: PointOptions = {}): PointSurface => ({
  ...{ kind: 'point', name, path, rule, isExact: true, has: isPosted, trace: canaryOf },
  ...options,
});
/** A path that shows something else, and contains the post for its viewers. */
const within = (name: string, path: PointPath, rule: Rule, options: PointOptions = {}): PointSurface => ({
  ...at(name, path, rule, options),
  isExact: false,
});
const page = (name: string, path: PageSurface['path'], rule: Rule, headers = {}): PageSurface => ({
  kind: 'page',
  ...{ name, path, rule, headers },
});

const inPages = (name: string, path: PageSurface['path'], rule: Rule): PageSurface => ({
  ...page(name, path, rule),
  inPages: true,
});

const STATUSES = '/api/v1/statuses';
const SVC = '/api/v1/svc';
const CUP = encodeURIComponent('🍵');
const search = (version: string, query: Record<string, string>) =>
  `/api/${version}/search?${new URLSearchParams({ type: 'statuses', limit: '40', ...query }).toString()}`;
const timeline = (name: string, query = '') => `/api/v1/timelines/${name}?limit=40${query}`;
const statusesOf =
  (account: string, query = '') =>
  (_viewer: Viewer, scene: Scene) =>
    `/api/v1/accounts/${scene.id(account)}/statuses?limit=40${query}`;
const listOf = (owner: string, { lists }: Scene) => timeline(`list/${lists.get(owner) ?? lists.get('lister')}`);
const folderOf = (owner: string, { folders }: Scene) => `/api/v1/bookmarks?limit=40&folder_id=${folders.get(owner)}`;

const named = (name: string) => ({ trace: () => `"acct":"${name}"` });
const idOf = (pick: (post: Planted) => string) => ({ trace: (post: Planted) => `"id":"${pick(post)}"` });
const answers = { trace: ({ id }: Planted) => `"in_reply_to_id":"${id}"` };
const having = (pick: (post: Planted) => string) => ({ has: (post: Planted) => pick(post) !== NOTHING });
const full = { has: ({ kind }: Planted) => kind === 'full' };
const direct = { has: ({ id, visibility }: Planted) => id !== NOTHING && visibility === 'direct' };
const here = { has: ({ id, author }: Planted) => id !== NOTHING && author !== REMOTE };
const AP = { accept: 'application/activity+json' };
const BROWSER = { accept: 'text/html,application/xhtml+xml' };
const objectOf: PointPath = ({ uri }) => new URL(uri).pathname;
const byAuthor = by('author');

/** A new surface is one more line in its family. A family is a test. */
export const FAMILIES: Readonly<Record<string, readonly Surface[]>> = {
  'a post itself': [
    at('by id', ({ id }) => `${STATUSES}/${id}`, mayRead),
    within('among ids', ({ id }) => `${STATUSES}?ids[]=${id}&ids[]=x`, mayRead),
    at('source', ({ id }) => `${STATUSES}/${id}/source`, forAuthor, here),
    at('history', ({ id }) => `${STATUSES}/${id}/history`, mayRead),
    within(
      'posts with its link',
      ({ id }) => timeline('link', `&url=https://pages.test/${id}`),
      both(inTimelines, isPublic),
      full,
    ),
    at('card', ({ id }) => `${STATUSES}/${id}/card`, mayRead, full),
    at(
      'poll',
      ({ poll }) => `/api/v1/polls/${poll}`,
      mayRead,
      having(({ poll }) => poll),
    ),
    at(
      'file',
      ({ media }) => `/api/v1/media/${media}`,
      forUploader,
      having(({ media }) => media),
    ),
    at(
      'for later',
      ({ scheduled }) => `/api/v1/scheduled_statuses/${scheduled}`,
      atItsTime,
      having(({ scheduled }) => scheduled),
    ),
    page('all for later', () => '/api/v1/scheduled_statuses', atItsTime),
  ],
  'a boost of it': [
    at(
      'boost',
      ({ boost }) => `${STATUSES}/${boost}`,
      mayRead,
      having(({ boost }) => boost),
    ),
    at(
      'own boost',
      ({ ownReblog }) => `${STATUSES}/${ownReblog}`,
      forFollowers,
      having(({ ownReblog }) => ownReblog),
    ),
    at('history of a boost', ({ boost }) => `${STATUSES}/${boost}/history`, mayRead, here),
    at('favourites of a boost', ({ boost }) => `${STATUSES}/${boost}/favourited_by`, mayRead, named('fan')),
    page('posts of a booster', statusesOf('booster'), inListsOfOthers),
    page('only boosts', statusesOf('booster', '&only_reblogs=true'), inListsOfOthers),
  ],
  'actions on it': [
    at('favourites of it', ({ id }) => `${STATUSES}/${id}/favourited_by`, mayRead, named('fan')),
    at('boosts of it', ({ id }) => `${STATUSES}/${id}/reblogged_by`, mayRead, named('booster')),
    at('reactions', ({ id }) => `${SVC}/statuses/${id}/reactions`, mayRead, named('fan')),
    at('one reaction', ({ id }) => `/api/svc/statuses/${id}/reactions/${CUP}`, mayRead, named('fan')),
    at(
      'quotes',
      ({ id }) => `${SVC}/statuses/${id}/quotes`,
      mayRead,
      idOf(({ quoting }) => quoting),
    ),
    at(
      'quotes under the path of the reference',
      ({ id }) => `${STATUSES}/${id}/quotes`,
      mayRead,
      idOf(({ quoting }) => quoting),
    ),
    within('in what quotes it', ({ quoting }) => `${STATUSES}/${quoting}`, inQuotes),
    page('in the posts of who quotes it', statusesOf('quoter'), inQuotes),
  ],
  'its thread': [
    at(
      'answers to it',
      ({ id }) => `${STATUSES}/${id}/context`,
      mayRead,
      idOf(({ answer }) => answer),
    ),
    at(
      'answers to a boost',
      ({ boost }) => `${STATUSES}/${boost}/context`,
      mayRead,
      idOf(({ answer }) => answer),
    ),
    within('before its answer', ({ answer }) => `${STATUSES}/${answer}/context`, inThreads),
    within('parent of its answer', ({ answer }) => `${STATUSES}/${answer}`, mayRead, answers),
    page(
      'around the first',
      (_viewer, scene) => `${STATUSES}/${scene.posts[0]!.id}/context`,
      both(inThreads, (_, { kind }) => kind === 'poll'),
    ),
  ],
  timelines: [
    page('home', () => timeline('home'), atHome),
    page('home with files', () => timeline('home', '&only_media=true'), both(atHome, hasFile)),
    page('public', () => timeline('public'), both(inTimelines, isPublic)),
    page('public with muted', () => timeline('public', '&with_muted=true'), both(inTimelinesWithMuted, isPublic)),
    page('local', () => timeline('public', '&local=true'), both(inTimelines, isOnLocalTimeline)),
    page(
      'local with files',
      () => timeline('public', '&local=true&only_media=true'),
      both(both(inTimelines, isOnLocalTimeline), hasFile),
    ),
    page('from elsewhere', () => timeline('public', '&remote=true'), both(both(inTimelines, isPublic), isRemote)),
    page('of one server', () => timeline('public', `&instance=${DOMAIN}`), both(both(inTimelines, isPublic), isRemote)),
    page('tag', () => timeline(`tag/${TAG}`), both(inTimelines, isPublic)),
    page('tag from here', () => timeline(`tag/${TAG}`, '&local=true'), both(both(inTimelines, isPublic), isLocal)),
    page('trending', () => '/api/v1/trends/statuses?limit=40', both(inTimelines, isPublic)),
    page('list', ({ name }, scene) => listOf(name, scene), inOwnList),
    page('list of another', ({ name }, scene) => listOf(name === 'lister' ? 'follower' : 'lister', scene), nobody),
    page('direct', () => timeline('direct'), both(both(forSignedIn, inTimelines), isDirect)),
  ],
  'pages of signed-in people': [
    inPages('home in the browser', () => '/app/home?limit=40', atHome),
    inPages(
      'local in the browser',
      () => '/app/local?limit=40',
      both(forSignedIn, both(inTimelines, isOnLocalTimeline)),
    ),
    inPages('public in the browser', () => '/app/federated?limit=40', both(forSignedIn, both(inTimelines, isPublic))),
    inPages('a tag in the browser', () => `/app/tags/${TAG}?limit=40`, both(forSignedIn, both(inTimelines, isPublic))),
    inPages('bookmarks in the browser', () => '/app/bookmarks?limit=40', forSignedIn),
    inPages('favourites in the browser', () => '/app/favourites?limit=40', forSignedIn),
    at('a post in the browser', ({ id }) => `/app/posts/${id}`, forSignedIn, { inPages: true }),
  ],
  'the posts of an account': [
    page('all', statusesOf('author'), both(mayRead, byAuthor)),
    page('by name', () => '/api/v1/accounts/author/statuses?limit=40', both(mayRead, byAuthor)),
    page('pinned', statusesOf('author', '&pinned=true'), both(mayRead, byAuthor)),
    page('with files', statusesOf('author', '&only_media=true'), both(both(mayRead, byAuthor), hasFile)),
    page('tagged', statusesOf('author', `&tagged=${TAG}`), both(mayRead, byAuthor)),
    page('without boosts', statusesOf('author', '&exclude_reblogs=true'), both(mayRead, byAuthor)),
    page('without answers', statusesOf('author', '&exclude_replies=true'), both(mayRead, byAuthor)),
    page(
      'all but the public',
      statusesOf('author', '&exclude_visibilities[]=public'),
      both(both(mayRead, byAuthor), (_, { visibility }) => visibility !== 'public'),
    ),
    page('with muted', statusesOf('author', '&with_muted=true'), both(mayRead, byAuthor)),
    page('of the locked', statusesOf('locked'), both(mayRead, by('locked'))),
    page('pinned by the locked', statusesOf('locked', '&pinned=true'), both(mayRead, by('locked'))),
    page('of the remote', statusesOf(REMOTE), both(mayRead, by(REMOTE))),
    page('of the gone', statusesOf('gone'), nobody),
    page('pinned by the gone', statusesOf('gone', '&pinned=true'), nobody),
  ],
  search: [
    page('words', () => search('v2', { q: NEEDLE }), inSearch),
    page('words, older', () => search('v1', { q: NEEDLE }), inSearch),
    page(
      'words of the author',
      (_viewer, scene) => search('v2', { q: NEEDLE, account_id: scene.id('author') }),
      both(inSearch, byAuthor),
    ),
    page('from the author', () => search('v2', { q: `${NEEDLE} from:author` }), both(inSearch, byAuthor)),
    page('own', () => search('v2', { q: `${NEEDLE} from:me` }), forAuthor),
    page('a phrase that has a file', () => search('v2', { q: `${NEEDLE} has:media` }), both(inSearch, hasFile)),
    within('address', ({ uri }) => search('v2', { q: uri }), inSearch),
    within('address, resolved', ({ uri }) => search('v2', { q: uri, resolve: 'true' }), inSearch),
    within('address, older', ({ uri }) => search('v1', { q: uri }), inSearch),
  ],
  'bookmarks and favourites': [
    page('bookmarks', () => '/api/v1/bookmarks?limit=40', forSignedIn),
    page('bookmarks in a folder', ({ name }, scene) => folderOf(name, scene), forSignedIn),
    page(
      'in a folder of another',
      ({ name }, scene) => folderOf(name === 'author' ? 'follower' : 'author', scene),
      nobody,
    ),
    page('favourites', () => '/api/v1/favourites?limit=40', forSignedIn),
    page('favourites of another', () => `${SVC}/accounts/fan/favourites?limit=40`, inListsOfOthers),
  ],
  'notifications and conversations': [
    page('notifications', () => '/api/v1/notifications?limit=40&types[]=status', inNotifications),
    at('a notification', (post, viewer) => `/api/v1/notifications/${ownOf(post.notifications, viewer)}`, mayBeNotified),
    page('groups of notifications', () => '/api/v2/notifications?limit=40&types[]=status', inNotifications),
    at(
      'a group',
      (post, viewer) => `/api/v2/notifications/ungrouped-${ownOf(post.notifications, viewer)}`,
      inNotifications,
    ),
    page('conversations', () => '/api/v1/conversations?limit=40', both(both(forSignedIn, inThreads), isDirect)),
    within(
      'a conversation',
      (post, viewer) => `${SVC}/conversations/${ownOf(post.conversations, viewer)}`,
      both(forSignedIn, inThreads),
      direct,
    ),
    within(
      'its posts',
      (post, viewer) => `${SVC}/conversations/${ownOf(post.conversations, viewer)}/statuses?limit=40`,
      both(forSignedIn, inTimelines),
      direct,
    ),
  ],
  feeds: [
    page('feed', () => '/users/author/feed', both(openToVisitors, byAuthor)),
    page('feed as Atom', () => '/users/author/feed.atom', both(openToVisitors, byAuthor)),
    page('feed as RSS', () => '/users/author/feed.rss', both(openToVisitors, byAuthor)),
    page('feed of the locked', () => '/users/locked/feed.rss', both(openToVisitors, by('locked'))),
    page('feed of a booster', () => '/users/booster/feed.atom', nobody),
    page('feed of the gone', () => '/users/gone/feed.atom', nobody),
    page('feed of the remote', (_viewer, scene) => `/users/${scene.id(REMOTE)}/feed.atom`, nobody),
    page('feed of a tag as Atom', () => `/tags/${TAG}.atom`, shownToVisitors),
    page('feed of a tag as RSS', () => `/tags/${TAG}.rss`, shownToVisitors),
  ],
  pages: [
    at('page of it', ({ id }) => `/notice/${id}`, openToVisitors, { ...here, headers: BROWSER }),
    at('page of a boost', ({ boost }) => `/notice/${boost}`, openToVisitors, { ...here, headers: BROWSER }),
    page('page of the author', () => '/@author', both(openToVisitors, byAuthor), BROWSER),
    page('page of the author with replies', () => '/@author?show=replies', both(openToVisitors, byAuthor), BROWSER),
    page(
      'page of the author with files',
      () => '/@author?show=media',
      both(both(openToVisitors, byAuthor), hasFile),
      BROWSER,
    ),
    page('page of trends', () => '/explore', shownToVisitors, BROWSER),
    page('page of the locked', () => '/@locked', both(openToVisitors, by('locked')), BROWSER),
    page('page of a booster', () => '/@booster', openToVisitors, BROWSER),
    page('page of the gone', () => '/@gone', nobody, BROWSER),
    page('page of the remote', (_viewer, scene) => `/@${scene.id(REMOTE)}`, nobody, BROWSER),
    page('page of a tag', () => `/tags/${TAG}`, shownToVisitors, BROWSER),
    page('page of everybody here', () => '/main/public', both(shownToVisitors, isLocal), BROWSER),
    page('page of a tag as apps name it', () => `/tag/${TAG}`, shownToVisitors, BROWSER),
  ],
  'other servers': [
    at('the object', objectOf, overActivityPub, { ...here, headers: AP }),
    at('the object for a browser', objectOf, overActivityPub, { ...here, headers: BROWSER }),
    at('its creation', (post, ...rest) => `${objectOf(post, ...rest)}/activity`, overActivityPub, {
      ...here,
      headers: AP,
    }),
    at('the object by id', ({ author, id }) => `/users/${author}/statuses/${id}`, overActivityPub, {
      ...here,
      headers: AP,
    }),
    at('its creation by id', ({ author, id }) => `/users/${author}/statuses/${id}/activity`, overActivityPub, {
      ...here,
      headers: AP,
    }),
    page('outbox', () => '/users/author/outbox?page=true', both(overActivityPub, byAuthor), AP),
    page('outbox of the locked', () => '/users/locked/outbox?page=true', both(overActivityPub, by('locked')), AP),
    page('outbox of a booster', () => '/users/booster/outbox?page=true', nobody, AP),
    page('outbox of the gone', () => '/users/gone/outbox?page=true', nobody, AP),
    page('featured', () => '/users/author/collections/featured', both(overActivityPub, byAuthor), AP),
    page('featured of the gone', () => '/users/gone/collections/featured', nobody, AP),
    page('the actor', () => '/users/author', nobody, AP),
    page('the actor for a browser', () => '/users/author', both(openToVisitors, byAuthor), BROWSER),
  ],
};

/** Families that are the same for every viewer, with any token. */
export const isAlikeForAll = (family: string) => ['feeds', 'pages', 'other servers'].includes(family);

/** Surfaces of viewers without a stored home timeline. */
export const UNSTORED: readonly Surface[] = [
  page('home, not stored', () => timeline('home'), atHome),
  page('home with files, not stored', () => timeline('home', '&only_media=true'), both(atHome, hasFile)),
];

/** Surfaces that always refuse, or that never contain posts. */
export const isBarren = ({ rule }: Surface) => rule === nobody;
