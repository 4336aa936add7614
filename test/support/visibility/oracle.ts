import type { VisibilityName } from '../../../src/statuses/index.js';

/*
 * Who there is, what they posted, and who is to be shown what (spec §1, §4.3, §10.8 to §10.11), written down once more and
 * without a look at the server's code. The scene makes these people and posts; the surfaces are held to these functions.
 */

/** What holds between a viewer and each of the {@link AUTHORS}, and what the viewer is signed in with. */
export interface Viewer {
  readonly name: string;
  /** Nothing; a token of an app alone, of a scope that reads no posts, or of somebody who is deactivated. */
  readonly token?: 'none' | 'app' | 'narrow' | 'dead';
  readonly isModerator?: boolean;
  /** Nobody here, and the server is for members only. */
  readonly isKeptOut?: boolean;
  /** Accepted. */
  follows?: boolean;
  /** Asked to follow, and waits. */
  readonly asks?: boolean;
  /** Blocks them, is blocked by them, mutes them, or blocks the domain of {@link REMOTE}. */
  hides?: 'blocks' | 'blocked' | 'mutes' | 'domain';
  /** Has a list with all whom it follows; an exclusive one keeps them out of the home timeline. */
  list?: 'plain' | 'exclusive' | undefined;
  /** Follows the tag of the posts. */
  tag?: boolean;
  /** Follows who boosted them all. */
  readonly followsBooster?: boolean;
}

/** A newcomer among the viewers is one line here. */
export const VIEWERS: readonly Viewer[] = [
  { name: 'anonymous', token: 'none' },
  { name: 'app', token: 'app' },
  { name: 'narrow', token: 'narrow' },
  { name: 'deactivated', token: 'dead', follows: true },
  { name: 'stranger' },
  { name: 'moderator', isModerator: true }, // reads here as everybody does: what staff may see has an API of its own
  { name: 'requester', asks: true },
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
  { name: 'witness', followsBooster: true },
  { name: 'author' },
];

export const DOMAIN = 'other.example';
export const REMOTE = `away@${DOMAIN}`;
/** Who wrote the posts: one who is open, one who is locked, one who was deactivated since, and one of another server. */
export const AUTHORS = ['author', 'locked', 'gone', REMOTE] as const;

export interface Post {
  /** Stands in every part of it as `canary-<number>`. */
  readonly canary: number;
  readonly name: string;
  readonly author: (typeof AUTHORS)[number];
  readonly visibility: VisibilityName;
  /** Whom it is for, beside those whom its visibility lets in. */
  readonly addresses: readonly string[];
  /** Full: a file, a card, and an edit. Poll: a poll, and an answer to the public one. */
  readonly kind: 'full' | 'poll' | 'plain';
  /** What became of it. */
  readonly state: 'stands' | 'deleted' | 'expired' | 'scheduled';
}

const ALL = ['public', 'unlisted', 'local', 'private', 'direct', 'list'] as const;
const ABROAD = ['public', 'unlisted', 'private', 'direct'] as const;
/** On the author's list when the posts for it were written: one has left it since. Who came later is not addressed. */
const LISTED = ['member', 'leaver'];

type Made = Partial<Omit<Post, 'canary'>> & Pick<Post, 'visibility'>;
const of = (visibility: VisibilityName, made: Partial<Made> = {}): Made => ({ ...made, visibility });
const addressed = (visibility: VisibilityName, name: string) => (visibility === 'list' ? [name, ...LISTED] : [name]);

/** A further kind of post is one line here. Full ones name `mentioned`; polls name them too, but go to `recipient` by `to`. */
export const POSTS: readonly Post[] = [
  ...ALL.map((name) => of(name, { kind: 'full', addresses: addressed(name, 'mentioned') })),
  ...ALL.map((name) => of(name, { kind: 'poll', addresses: addressed(name, 'recipient') })),
  of('public', { author: 'locked' }),
  of('private', { author: 'locked' }),
  ...ABROAD.map((name) => of(name, { author: REMOTE, addresses: ['mentioned'] })),
  ...ABROAD.map((name) => of(name, { author: 'gone', addresses: ['mentioned'] })),
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

/** Whether somebody is signed in, with a token that reads. */
export const isSignedIn = (viewer: Viewer) => viewer.token === undefined;
/** A token that stands for nobody any more is refused, where one is asked for at all. */
export const isRefused = (viewer: Viewer) => viewer.token === 'dead' || viewer.isKeptOut === true;
export const isAuthor = (viewer: Viewer, post: Post) => isSignedIn(viewer) && viewer.name === post.author;
const isAbroad = (post: Post) => post.author === REMOTE;

/** For everybody, in lists or not. */
export const isOpen = ({ visibility }: Post) => visibility === 'public' || visibility === 'unlisted';

/** Who may read one post at all (spec §10.9). */
export function mayRead(viewer: Viewer, post: Post): boolean {
  if (post.state !== 'stands' || post.author === 'gone' || isRefused(viewer)) return false;
  if (isOpen(post)) return true;
  if (!isSignedIn(viewer)) return false;
  if (isAuthor(viewer, post) || post.visibility === 'local') return true;
  if (post.visibility === 'private' && viewer.follows === true) return true;
  return post.addresses.includes(viewer.name);
}

/** Between the viewer and the author stands a block. */
const isEstranged = (viewer: Viewer, post: Post) =>
  !isAuthor(viewer, post) && (viewer.hides === 'blocks' || viewer.hides === 'blocked');
const isMuted = (viewer: Viewer, post: Post) => !isAuthor(viewer, post) && viewer.hides === 'mutes';
const isFenced = (viewer: Viewer, post: Post) => viewer.hides === 'domain' && isAbroad(post) && viewer.follows !== true;

/** Where somebody is shown a post (spec §10.10, §10.11). */
export type Rule = (viewer: Viewer, post: Post) => boolean;

/** Every rule, and something that a post has to be besides. */
export const both =
  (rule: Rule, other: Rule): Rule =>
  (viewer, post) =>
    rule(viewer, post) && other(viewer, post);

export const inThreads: Rule = (viewer, post) =>
  mayRead(viewer, post) && !isEstranged(viewer, post) && !isFenced(viewer, post);
export const inTimelines: Rule = (viewer, post) => inThreads(viewer, post) && !isMuted(viewer, post);
export const inTimelinesWithMuted = inThreads;
export const inQuotes = inTimelines;
/** Of others' posts. A mute keeps what was told out of the list of it. */
export const isTold: Rule = (viewer, post) => isSignedIn(viewer) && !isAuthor(viewer, post) && inThreads(viewer, post);
export const inNotifications: Rule = (viewer, post) => isTold(viewer, post) && inTimelines(viewer, post);
/** In an archive: what its owner wrote, whoever may read it. */
export const inArchive: Rule = (viewer, post) => isAuthor(viewer, post) && post.state === 'stands';
export const ofOthersKept: Rule = (viewer, post) =>
  mayRead(viewer, post) && !isEstranged(viewer, post) && !isMuted(viewer, post);
/** Anonymous people find what was posted here; nobody finds what comes from a server they block, be its people followed or not. */
export const inSearch: Rule = (viewer, post) =>
  mayRead(viewer, post) &&
  !isEstranged(viewer, post) &&
  !(viewer.hides === 'domain' && isAbroad(post)) &&
  (isSignedIn(viewer) || !isAbroad(post));
export const ofMembers: Rule = (viewer, post) => isSignedIn(viewer) && mayRead(viewer, post);

export const isPublic: Rule = (_viewer, post) => post.visibility === 'public';
export const isHere: Rule = (_viewer, post) => !isAbroad(post);
export const isThere: Rule = (_viewer, post) => isAbroad(post);
export const hasFile: Rule = (_viewer, post) => post.kind === 'full';
export const isDirect: Rule = (_viewer, post) => post.visibility === 'direct';
export const by =
  (author: string): Rule =>
  (_viewer, post) =>
    post.author === author;
export const nobody: Rule = () => false;
export const onlyAuthor: Rule = (viewer, post) => mayRead(viewer, post) && isAuthor(viewer, post);
/** A boost for followers is for nobody else, though the post may be. */
export const ofFollowers: Rule = (viewer, post) =>
  mayRead(viewer, post) && (viewer.follows === true || isAuthor(viewer, post));
/** An upload is its author's own, whatever becomes of the post. */
export const ofUploader: Rule = isAuthor;
export const atItsTime: Rule = (viewer, post) => post.state === 'scheduled' && isAuthor(viewer, post);

/** The timeline of this server: public posts, and those for its members where a member reads it. */
export const isLocalPage: Rule = (viewer, post) =>
  !isAbroad(post) && (post.visibility === 'public' || (post.visibility === 'local' && isSignedIn(viewer)));

const isFollowed: Rule = (viewer, post) =>
  isAuthor(viewer, post) || viewer.follows === true || viewer.followsBooster === true;
/** Own posts, those of whom one follows, what these boost, and public ones with a followed tag. */
export const atHome: Rule = (viewer, post) =>
  isSignedIn(viewer) &&
  (viewer.list !== 'exclusive' || viewer.follows !== true) &&
  (isFollowed(viewer, post) || (viewer.tag === true && post.visibility === 'public')) &&
  inTimelines(viewer, post);
export const onOwnList: Rule = (viewer, post) =>
  viewer.list !== undefined && viewer.follows === true && inTimelines(viewer, post);

/** What other servers fetch without a signature: public and unlisted posts of people here, whoever sends whatever token. */
export const overActivityPub: Rule = (_viewer, post) =>
  post.state === 'stands' && post.author !== 'gone' && !isAbroad(post) && isOpen(post);
/** What is in feeds, which read the same to everybody. */
export const inFeeds: Rule = (_viewer, post) =>
  post.state === 'stands' && post.author !== 'gone' && post.visibility === 'public';
/** What is on pages for visitors, which read the same to everybody. */
export const onPages: Rule = (_viewer, post) => post.state === 'stands' && post.author !== 'gone' && isOpen(post);
