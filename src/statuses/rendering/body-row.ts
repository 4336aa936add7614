import type { StoredEmoji } from '../../emoji/index.js';
import type { AttachmentRow } from '../../media/index.js';
import type { PreviewCardRow } from './preview-card.render.js';

/** A mentioned account. */
export interface MentionedAccount {
  readonly id: string;
  readonly nickname: string;
  readonly domain: string | null;
  readonly url: string | null;
  readonly apId: string;
}

/** The data of a status that is the same for every viewer. */
export interface BodyRow {
  readonly id: string;
  readonly uri: string;
  readonly url: string | null;
  readonly version: number;
  readonly visibility: number;
  readonly inReplyToAccountId: string | null;
  readonly replyNickname: string | null;
  readonly replyDomain: string | null;
  readonly conversationId: string | null;
  readonly context: string | null;
  readonly quoteUri: string | null;
  /** Whether the author of the quoted post does not let it be quoted. */
  readonly quoteRefused: boolean;
  /** Whether the post that it quotes was deleted. */
  readonly isQuoteDeleted: boolean;
  readonly contentHtml: string;
  readonly contentText: string;
  readonly spoiler: string;
  readonly sensitive: boolean;
  readonly language: string | null;
  readonly local: boolean;
  /** The custom emoji of a remote post. */
  readonly emojis: readonly StoredEmoji[];
  readonly application: { readonly name: string; readonly website: string | null } | null;
  readonly createdAt: string;
  readonly editedAt: string | null;
  readonly pinnedAt: string | null;
  /** Null when the flags rule out mentions. */
  readonly mentions: readonly MentionedAccount[] | null;
  readonly tags: readonly string[] | null;
  readonly attachments: readonly AttachmentRow[] | null;
  readonly card: PreviewCardRow | null;
  /** The options of its poll. */
  readonly pollOptions: readonly string[] | null;
}

/** The columns of a post that its body shows, and that are stored as they are given. */
type GivenColumn =
  | 'id'
  | 'uri'
  | 'url'
  | 'visibility'
  | 'inReplyToAccountId'
  | 'conversationId'
  | 'quoteUri'
  | 'quoteRefused'
  | 'contentHtml'
  | 'contentText'
  | 'spoiler'
  | 'sensitive'
  | 'language'
  | 'local'
  | 'emojis'
  | 'application';

/** A post that is to be written, or was just written. */
interface GivenStatus extends Pick<BodyRow, GivenColumn> {
  readonly createdAt: Date;
}

/** What the body of a new post shows besides its row: rows of other tables, and the conversation that the writing chose. */
interface GivenParts extends Partial<
  Pick<BodyRow, 'conversationId' | 'context' | 'mentions' | 'tags' | 'attachments' | 'pollOptions'>
> {
  /** The account that it answers. */
  readonly replied?: Pick<MentionedAccount, 'nickname' | 'domain'> | undefined;
}

/**
 * The body of a new post, as the statement `statuses.bodies` will read it. A part that is not given is one that the post
 * does not have. It has no card: that is fetched later.
 */
export function bodyRowOf(status: GivenStatus, { replied, ...parts }: GivenParts): BodyRow {
  return {
    id: status.id,
    uri: status.uri,
    url: status.url,
    version: 1,
    visibility: status.visibility,
    inReplyToAccountId: status.inReplyToAccountId,
    replyNickname: replied?.nickname ?? null,
    replyDomain: replied?.domain ?? null,
    conversationId: status.conversationId,
    context: null,
    quoteUri: status.quoteUri,
    quoteRefused: status.quoteRefused,
    isQuoteDeleted: false,
    contentHtml: status.contentHtml,
    contentText: status.contentText,
    spoiler: status.spoiler,
    sensitive: status.sensitive,
    language: status.language,
    local: status.local,
    emojis: status.emojis,
    application: status.application,
    createdAt: status.createdAt.toISOString(),
    editedAt: null,
    pinnedAt: null,
    mentions: null,
    tags: null,
    attachments: null,
    card: null,
    pollOptions: null,
    ...parts,
  };
}
