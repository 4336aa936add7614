import type { StoredEmoji } from '../../emoji/index.js';
import type { AccountRow } from '../model/account.rows.js';

/** The profile of an account as its server sends it. Its texts and names are neither parsed nor limited yet. */
export interface RemoteProfile {
  readonly apId: string;
  /** The name that it claims. */
  readonly nickname: string;
  /** The host of the handle. */
  readonly domain: string;
  /** Whom WebFinger names for the handle; unknown when it names nobody, or was not asked. */
  readonly handleOwner: 'it' | 'another' | 'unknown';
  readonly url: string | null;
  readonly inboxUrl: string;
  readonly sharedInboxUrl: string | null;
  readonly outboxUrl: string | null;
  readonly followersUrl: string | null;
  readonly followingUrl: string | null;
  readonly featuredUrl: string | null;
  readonly actorType: string;
  readonly displayName: string;
  /** HTML. */
  readonly note: string;
  /** Values are HTML. */
  readonly fields: readonly { readonly name: string; readonly value: string }[];
  readonly emojis: readonly StoredEmoji[];
  readonly avatar: RemotePicture | null;
  readonly header: RemotePicture | null;
  readonly locked: boolean;
  /** Whether its own server hides it. */
  readonly suspended: boolean;
  /** Whether its owner died. */
  readonly memorial: boolean;
  /** Whether it serves machines only, as relays do. */
  readonly invisible: boolean;
  readonly discoverable: boolean;
  readonly indexable: boolean | null;
  readonly attributionDomains: readonly string[];
  readonly acceptsChatMessages: boolean | null;
  readonly alsoKnownAs: readonly string[];
  /** The address of the account that it says it moved to. */
  readonly movedTo: string | null;
  /** `YYYY-MM-DD`. */
  readonly birthday: string | null;
  readonly publishedAt: Date | null;
  /** When its server described it so; null when that is not known. */
  readonly describedAt: Date | null;
}

/** A stored account. */
export interface StoredProfile {
  readonly account: AccountRow;
  /** Whether the profile was older than what is known, and so changed nothing. */
  readonly isOlder: boolean;
  /** When the account can get the handle of the profile, which came too early; undefined when it has it. */
  readonly renamesAt: Date | undefined;
}

/** A profile whose texts are sanitised and limited ({@link RemoteAccountsService.clean}). */
export type CleanProfile = RemoteProfile & { readonly isClean: true };

/** Which of its collections an account hides; what is undefined is not known. */
export interface HiddenParts {
  readonly hideFollowers?: boolean | undefined;
  readonly hideFollows?: boolean | undefined;
  readonly hideFollowersCount?: boolean | undefined;
  readonly hideFollowsCount?: boolean | undefined;
}

/** Counters of an account; undefined ones stay as they are. */
export type RemoteCounts = Partial<Record<'statuses' | 'followers' | 'following', number | undefined>>;

export interface RemotePicture {
  readonly url: string;
  readonly description: string;
}
