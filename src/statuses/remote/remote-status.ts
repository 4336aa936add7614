import type { StoredEmoji } from '../../emoji/index.js';
import type { RemoteAttachment } from '../../media/index.js';
import type { RemoteStatusCounts } from '../counters/status.counters.js';
import type { FormerVersion } from '../edits/edit.repository.js';

/** A post of another server whose accounts, parent and quoted post have been looked up. */
export interface RemoteStatus {
  readonly uri: string;
  readonly url: string | null;
  readonly authorId: string;
  readonly visibility: number;
  readonly publishedAt: Date;
  /** As its server states it, for the order of versions: ahead of the clock here as far as clocks may be. */
  readonly editedAt: Date | null;
  /** A moment after which its server served it so, if it was fetched; null for one that was sent. */
  readonly asOf: Date | null;
  /** When it was sent, as the activity that brought it states; null for one that was fetched, and without a stated time. */
  readonly sentAt: Date | null;
  /** Sanitised, and of at most {@link MAX_HTML_BYTES}. */
  readonly html: string;
  /** The plain text of the HTML. */
  readonly text: string;
  readonly spoiler: string;
  readonly sensitive: boolean;
  readonly language: string | null;
  readonly emojis: readonly StoredEmoji[];
  /** The id of its conversation on other servers. */
  readonly contextUri: string | null;
  readonly inReplyToUri: string | null;
  /** The parent, when it is stored here. */
  readonly parent: { readonly id: string; readonly authorId: string; readonly conversationId: string | null } | null;
  /** The group that it names as its audience. */
  readonly groupId: string | null;
  readonly quoteUri: string | null;
  readonly quoteOfId: string | null;
  /** The id of the quoted author's consent, as the post gives it. */
  readonly quoteApproval: string | null;
  /** Who may quote it, as its server says; null when it does not. */
  readonly quotePolicy: number | null;
  /** The accounts that it addresses, in order. Silent ones are not mentioned in it. */
  readonly mentions: readonly { readonly accountId: string; readonly silent: boolean }[];
  /** Names of hashtags, in lower case. */
  readonly tags: readonly string[];
  readonly attachments: readonly RemoteAttachment[];
  readonly poll: RemotePoll | null;
  readonly counts: RemoteStatusCounts;
  /** Its earlier versions, the oldest first, which are stored with a new post. */
  readonly former?: readonly FormerVersion[];
}

export interface RemotePoll {
  readonly options: readonly { readonly title: string; readonly votes: number }[];
  readonly multiple: boolean;
  readonly expiresAt: Date | null;
  readonly voters: number;
  /** Whether there may be more voters: its server states no number of those who may choose several options. */
  readonly mayBeMore: boolean;
  /** Whether its server shows who voted for what. */
  readonly nonAnonymous: boolean;
}

/** The result of {@link RemoteStatusesService.edit}. */
export type EditResult = 'edited' | 'unchanged' | 'unknown';
