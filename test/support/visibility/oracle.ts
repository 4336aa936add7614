import type { VisibilityName } from '../../../src/statuses/index.js';

/*
 * The viewers, the posts and the rules of visibility (spec §1, §4.3, §10.8 to §10.11), written a second time, independently of
 * the code of the server. The scene creates these accounts and posts; the surfaces are compared with these
 * functions.
 */

/** The relation of a viewer to each of the {@link AUTHORS}, and the token of the viewer. */
export interface Viewer {
  readonly name: string;
  /** No token, an app token, a token with a scope that reads no posts, or a token of a deactivated account. */
  readonly token?: 'none' | 'app' | 'narrow' | 'dead';
  readonly isModerator?: boolean;
  /** The viewer has no account here, and the server is for members only. */
  readonly isExcluded?: boolean;
  /** The follows are accepted. */
  follows?: boolean;
  /** The follows are requested and pending. */
  readonly requests?: boolean;
  /** The viewer blocks the authors, is blocked by them, mutes them, or blocks the domain of {@link REMOTE}. */
  hides?: 'blocks' | 'blocked' | 'mutes' | 'domain';
  /** The viewer has a list with all followees; an exclusive list keeps them out of the home timeline. */
  list?: 'plain' | 'exclusive' | undefined;
  /** The viewer follows the tag of the posts. */
  tag?: boolean;
  /** The viewer follows the account that boosted all posts. */
  readonly followsReblogger?: boolean;
}

/** A new viewer is one more line here. */
export const VIEWERS: readonly Viewer[] = [
  { name: 'anonymous', token: 'none' },
  { name: 'app', token: 'app' },
  { name: 'narrow', token: 'narrow' },
  { name: 'deactivated', token: 'dead', follows: true },
  { name: 'stranger' },
  { name: 'moderator', isModerator: true }, // reads like the others here: staff has its own API
  { name: 'requester', requests: true },
  { name: 'follower', follows: true, list: 'plain' },
  { name: 'lister', follows: true, list: 'exclusive' },
  { name: 'mentioned' },
  { name: 'recipient' },
  { name: 'member' },
  { name: 'leaver' },
  { name: 'latecomer' },
  { name: 'blocked', hides: 'blocked' },
  { name: 'blocker', hides: 'blocks' },
  { name: 'muter', hides: 'mutes', follows: true, list: 'plain' },
  { name: 'fenced', hides: 'domain' },
  { name: 'loyal', hides: 'domain', follows: true, list: 'plain' },
  { name: 'tagger', tag: true },
  { name: 'witness', followsReblogger: true },
  { name: 'author' },
];

export const DOMAIN = 'other.example';
export const REMOTE = `away@${DOMAIN}`;
/** The authors of the posts: an open account, a locked one, one that is deactivated later, and a remote one. */
export const AUTHORS = ['author', 'locked', 'gone', REMOTE] as const;

export interface Post {
  /** Every part of the post contains it as `canary-<number>`. */
  readonly canary: number;
  readonly name: string;
  readonly author: (typeof AUTHORS)[number];
  readonly visibility: VisibilityName;
  /** The addressed accounts, in addition to those that the visibility permits. */
  readonly addresses: readonly string[];
  /** Full: a file, a card and an edit. Poll: a poll that replies to the public post. */
  readonly kind: 'full' | 'poll' | 'plain';
  /** The later state of the post. */
  readonly state: 'stands' | 'deleted' | 'expired' | 'scheduled';
}

const ALL = ['public', 'unlisted', 'local', 'private', 'direct', 'list'] as const;
const FEDERATED = ['public', 'unlisted', 'private', 'direct'] as const;
/**
 * The members of the list when the posts for it were written. One has left it since; later members are not addressed.
 */
const LIST_MEMBERS = ['member', 'leaver'];

type Made = Partial<Omit<Post, 'canary'>> & Pick<Post, 'visibility'>;
const of = (visibility: VisibilityName, made: Partial<Made> = {}): Made => ({ ...made, visibility });
const addressed = (visibility: VisibilityName, name: string) =>
  visibility === 'list' ? [name, ...LIST_MEMBERS] : [name];

/**
 * A new kind of post is one more line here. Full posts mention `mentioned`; polls do so too, but go to `recipient` by
 * `to`.
 */
export const POSTS: readonly Post[] = [
  ...ALL.map((name) => of(name, { kind: 'full', addresses: addressed(name, 'mentioned') })),
  ...ALL.map((name) => of(name, { kind: 'poll', addresses: addressed(name, 'recipient') })),
  of('public', { author: 'locked' }),
  of('private', { author: 'locked' }),
  ...FEDERATED.map((name) => of(name, { author: REMOTE, addresses: ['mentioned'] })),
  ...FEDERATED.map((name) => of(name, { author: 'gone', addresses: ['mentioned'] })),
  of('public', { state: 'deleted' }),
  of('private', { state: 'deleted' }),
  of('public', { state: 'expired' }),
  of('private', { state: 'scheduled' }),
].map((made, canary) => {
  const post = {
    author: 'author',
    kind: 'plain',
    state: 'stands',
    addresses: [] as string[],
    ...made,
    canary,
  } as const;
  return { ...post, name: [post.author, post.visibility, post.kind, post.state].join(' ') };
});

/** Whether the viewer is signed in with a token that reads posts. */
export const isSignedIn = (viewer: Viewer) => viewer.token === undefined;
/** Whether the viewer is refused: the account of the token is deactivated, or the server is closed to the viewer. */
export const isRefused = (viewer: Viewer) => viewer.token === 'dead' || viewer.isExcluded === true;
export const isAuthor = (viewer: Viewer, post: Post) => isSignedIn(viewer) && viewer.name === post.author;
const isRemotePost = (post: Post) => post.author === REMOTE;

/** Whether everyone may read the post. Public lists show only public posts. */
export const isPublicOrUnlisted = ({ visibility }: Post) => visibility === 'public' || visibility === 'unlisted';

/** Whether the viewer may read a single post (spec §10.9). */
export function mayRead(viewer: Viewer, post: Post): boolean {
  if (post.state !== 'stands' || post.author === 'gone' || isRefused(viewer)) return false;
  if (isPublicOrUnlisted(post)) return true;
  if (!isSignedIn(viewer)) return false;
  if (isAuthor(viewer, post) || post.visibility === 'local') return true;
  if (post.visibility === 'private' && viewer.follows === true) return true;
  return post.addresses.includes(viewer.name);
}

/** Whether there is a block between the viewer and the author. */
const isBlocked = (viewer: Viewer, post: Post) =>
  !isAuthor(viewer, post) && (viewer.hides === 'blocks' || viewer.hides === 'blocked');
const isMuted = (viewer: Viewer, post: Post) => !isAuthor(viewer, post) && viewer.hides === 'mutes';
const isHiddenByDomainBlock = (viewer: Viewer, post: Post) =>
  viewer.hides === 'domain' && isRemotePost(post) && viewer.follows !== true;

/** Whether a place shows a post to a viewer (spec §10.10, §10.11). */
export type Rule = (viewer: Viewer, post: Post) => boolean;

/** Combines a rule with a further condition. */
export const both =
  (rule: Rule, other: Rule): Rule =>
  (viewer, post) =>
    rule(viewer, post) && other(viewer, post);

export const inThreads: Rule = (viewer, post) =>
  mayRead(viewer, post) && !isBlocked(viewer, post) && !isHiddenByDomainBlock(viewer, post);
export const inTimelines: Rule = (viewer, post) => inThreads(viewer, post) && !isMuted(viewer, post);
export const inTimelinesWithMuted = inThreads;
export const inQuotes = inTimelines;
/** Whether a viewer may be notified of a post of another author. A mute hides it in the list of notifications only. */
export const mayBeNotified: Rule = (viewer, post) =>
  isSignedIn(viewer) && !isAuthor(viewer, post) && inThreads(viewer, post);
export const inNotifications: Rule = (viewer, post) => mayBeNotified(viewer, post) && inTimelines(viewer, post);
/** An archive contains the posts of its owner with any visibility. */
export const inArchive: Rule = (viewer, post) => isAuthor(viewer, post) && post.state === 'stands';
export const inListsOfOthers: Rule = (viewer, post) =>
  mayRead(viewer, post) && !isBlocked(viewer, post) && !isMuted(viewer, post);
/** Anonymous viewers find local posts only. Viewers find no posts of a domain that they block, even of followees. */
export const inSearch: Rule = (viewer, post) =>
  mayRead(viewer, post) &&
  !isBlocked(viewer, post) &&
  !(viewer.hides === 'domain' && isRemotePost(post)) &&
  (isSignedIn(viewer) || !isRemotePost(post));
export const forSignedIn: Rule = (viewer, post) => isSignedIn(viewer) && mayRead(viewer, post);

export const isPublic: Rule = (_viewer, post) => post.visibility === 'public';
export const isLocal: Rule = (_viewer, post) => !isRemotePost(post);
export const isRemote: Rule = (_viewer, post) => isRemotePost(post);
export const hasFile: Rule = (_viewer, post) => post.kind === 'full';
export const isDirect: Rule = (_viewer, post) => post.visibility === 'direct';
export const by =
  (author: string): Rule =>
  (_viewer, post) =>
    post.author === author;
export const nobody: Rule = () => false;
export const forAuthor: Rule = (viewer, post) => mayRead(viewer, post) && isAuthor(viewer, post);
/** A boost for followers is hidden from all others, even if they may read the post. */
export const forFollowers: Rule = (viewer, post) =>
  mayRead(viewer, post) && (viewer.follows === true || isAuthor(viewer, post));
/** An upload belongs to its author, even after changes of the post. */
export const forUploader: Rule = isAuthor;
export const atItsTime: Rule = (viewer, post) => post.state === 'scheduled' && isAuthor(viewer, post);

/** The local timeline: public posts, and for members also local posts. */
export const isOnLocalTimeline: Rule = (viewer, post) =>
  !isRemotePost(post) && (post.visibility === 'public' || (post.visibility === 'local' && isSignedIn(viewer)));

const isFollowed: Rule = (viewer, post) =>
  isAuthor(viewer, post) || viewer.follows === true || viewer.followsReblogger === true;
/** Own posts, posts and boosts of followees, and public posts with a followed tag. */
export const atHome: Rule = (viewer, post) =>
  isSignedIn(viewer) &&
  (viewer.list !== 'exclusive' || viewer.follows !== true) &&
  (isFollowed(viewer, post) || (viewer.tag === true && post.visibility === 'public')) &&
  inTimelines(viewer, post);
export const inOwnList: Rule = (viewer, post) =>
  viewer.list !== undefined && viewer.follows === true && inTimelines(viewer, post);

/** Other servers fetch public and unlisted local posts without a signature, with any token. */
export const overActivityPub: Rule = (_viewer, post) =>
  post.state === 'stands' && post.author !== 'gone' && !isRemotePost(post) && isPublicOrUnlisted(post);
/** The posts that visitors are shown in feeds and lists, such as pages of tags. These are the same for every reader. */
export const shownToVisitors: Rule = (_viewer, post) =>
  post.state === 'stands' && post.author !== 'gone' && post.visibility === 'public';
/** The posts that visitors may open, and find on the page and in the feed of the author. These are the same for every reader. */
export const openToVisitors: Rule = (_viewer, post) =>
  post.state === 'stands' && post.author !== 'gone' && isPublicOrUnlisted(post);
