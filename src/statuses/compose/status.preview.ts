import { sanitizeNoRichText } from '../../common/index.js';
import type { AttachmentRow } from '../../media/index.js';
import type { PageRow } from '../model/page.sql.js';
import type { NewPost } from './status.publisher.js';
import { type BodyRow, type MentionedAccount, NO_FACTS, type ViewerFacts } from '../rendering/status.render.js';

/** A post that is not stored, with what would be attached to it. */
export interface Preview extends NewPost {
  readonly attachments: readonly AttachmentRow[];
}

/** The body that an unsaved post would have. `accounts` are those it names; `plain` leaves out formatting. */
export function previewBody(
  { status, addressees, tags, attachments, poll }: Preview,
  accounts: ReadonlyMap<string, MentionedAccount>,
  plain: boolean,
): BodyRow {
  const replied = accounts.get(status.inReplyToAccountId ?? '');
  return {
    id: status.id,
    uri: status.uri,
    url: null,
    version: 1,
    visibility: status.visibility,
    in_reply_to_account_id: status.inReplyToAccountId,
    reply_nickname: replied?.nickname ?? null,
    reply_domain: replied?.domain ?? null,
    conversation_id: status.conversationId,
    context: null,
    quote_uri: status.quoteUri,
    content_html: plain ? sanitizeNoRichText(status.contentHtml) : status.contentHtml,
    content_text: status.contentText,
    spoiler: status.spoiler,
    sensitive: status.sensitive,
    language: status.language,
    local: status.local,
    emojis: [],
    application: status.application,
    created_at: status.createdAt.toISOString(),
    edited_at: null,
    pinned_at: null,
    mentions: addressees.flatMap((id) => accounts.get(id) ?? []),
    tags: [...tags].sort(),
    attachments,
    card: null,
    poll_options: poll?.options ?? null,
  };
}

/** The page row that an unsaved post would have. */
export function previewRow({ status }: NewPost): PageRow {
  return {
    feed_id: status.id,
    w_author_id: status.authorId,
    id: status.id,
    author_id: status.authorId,
    version: 1,
    flags: status.flags,
    conversation_id: status.conversationId,
    quote_of_id: status.quoteOfId,
    in_reply_to_id: status.inReplyToId,
    replies: 0,
    reblogs: 0,
    favourites: 0,
    quotes: 0,
    reactions: 0,
    w_created_at: null,
    w_visibility: null,
    w_local: null,
  };
}

/** What its author would be shown of it besides. */
export function previewFacts({ status, poll }: NewPost): ViewerFacts {
  const viewerId = status.authorId;
  const lists = new Map(status.listId === null ? [] : [[status.id, status.listId]]);
  const expiries = new Map(status.expiresAt === null ? [] : [[status.id, status.expiresAt.toISOString()]]);
  const told = { ...NO_FACTS, viewerId, lists, expiries };
  if (!poll) return told;
  const facts = {
    id: '0',
    expiresAt: poll.expiresAt.toISOString(),
    multiple: poll.multiple,
    hide_totals: poll.hideTotals,
    non_anonymous: false,
    voters_count: 0,
    options: poll.options.map((title) => ({ title, votes_count: 0 })),
    emojis: null,
    choices: null,
  };
  return { ...told, polls: new Map([[status.id, facts]]) };
}
