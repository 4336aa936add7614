import type { AccountRow } from '../../accounts/index.js';
import { unique } from '../../common/index.js';
import type { Settings } from '../../config/index.js';
import { OPEN_TO_USERS, type PolicyStatus, PUBLIC, type RemoteStatus, Visibility } from '../../statuses/index.js';
import type { Activity } from '../wire/activity.js';
import type { RemoteActor } from '../wire/remote-actor.js';

/** Reads live settings. */
export type PolicySettings = Pick<Settings, 'get'>;

/** The names of the server of a remote account: see {@link serverNamesOf}. */
export type ServerNames = readonly string[];

/** The author and the addressees of a post. */
export interface StatusParties {
  readonly author: AccountRow;
  /** Actor ids. */
  readonly recipients: readonly string[];
  /** The active accounts that it names, answers and quotes, for policies that need them. */
  readonly people: readonly AccountRow[];
  /** Whether the API of NsfwApiPolicy found a sensitive picture; undefined where none is asked. */
  readonly hasNsfwPicture?: boolean;
  /** Whether the post is stored already: it was edited, or the counts of its poll changed. */
  readonly isStored?: boolean | undefined;
}

/** A side effect of a stored post. */
export type Effect =
  | { readonly kind: 'steal-emoji'; readonly shortcode: string; readonly url: string }
  | { readonly kind: 'warm-proxy'; readonly url: string }
  | { readonly kind: 'follow'; readonly accountId: string };

/** The decisions of a policy; each part is a pure function. */
export interface Policy {
  /**
   * Why no post of an account of another server is accepted, and no boost or quote of a stored one.
   * Undefined where nobody is refused. Of activities {@link refusal} decides.
   */
  readonly author?: (settings: PolicySettings) => ((author: AccountRow) => string | undefined) | undefined;
  /** Why an activity of another server has no effect here; undefined when it passes. Its signer may be another actor. */
  readonly refusal?: (
    activity: Activity,
    settings: PolicySettings,
    signer: AccountRow,
    ownHost: string,
  ) => string | undefined;
  /**
   * Whether {@link refusal} and {@link post} refuse no actor whom the account follows that the activity is about, or that
   * the post answers.
   */
  readonly sparesFollowed?: boolean;
  /** Whether {@link post} reads the accounts that a post names, answers and quotes. */
  readonly needsPeople?: boolean;
  /** The post as it is stored, or why it is refused. */
  readonly post?: (post: PolicyStatus, settings: PolicySettings, parties: StatusParties) => PolicyStatus | string;
  /** Whether {@link post} may change or refuse a post of this server; yes without it. */
  readonly concernsOwn?: (post: PolicyStatus, settings: PolicySettings) => boolean;
  /** Why texts of people of this server that are no posts are refused: of profiles, files, shouts. */
  readonly texts?: (texts: readonly string[], settings: PolicySettings) => string | undefined;
  /** The side effects of a new remote post. */
  readonly effects?: (
    post: Pick<RemoteStatus, 'emojis' | 'attachments'>,
    settings: PolicySettings,
    author: AccountRow,
  ) => readonly Effect[];
  /** The profile of another server, which has these names, as it is stored. */
  readonly profile?: (profile: RemoteActor, settings: PolicySettings, servers: ServerNames) => RemoteActor;
}

/** Whether an author belongs to another server. */
export const isRemote = ({ author }: StatusParties): boolean => author.domain !== null;

/** The hashtag of sensitive posts. */
const NSFW = 'nsfw';

/** A post as a sensitive one. */
export function toSensitive(post: PolicyStatus): PolicyStatus {
  return { ...post, sensitive: true, hashtags: unique([...post.hashtags, NSFW]) };
}

/** A public post as an unlisted one. */
export function toUnlisted(post: PolicyStatus): PolicyStatus {
  return PUBLIC.includes(post.visibility) ? { ...post, visibility: Visibility.unlisted } : post;
}

/** Turns a public post into one for followers; of those whom any post addresses, only followers get it. */
export function toFollowersOnly(post: PolicyStatus): PolicyStatus {
  const visibility = OPEN_TO_USERS.includes(post.visibility) ? Visibility.private : post.visibility;
  return { ...post, visibility, isForFollowersOnly: true };
}
