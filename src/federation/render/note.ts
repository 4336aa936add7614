import { unique, withoutVouching } from '../../common/index.js';
import type { EmojiTag } from '../../emoji/index.js';
import type { AttachmentRow } from '../../media/index.js';
import { PUBLIC_OR_UNLISTED, Visibility } from '../../statuses/index.js';
import { documentContext, followersOf, PUBLIC } from '../wire/uris.js';
import { interactionPolicy, quoteLinks, quoteProperties, withQuoteLink } from './quote.js';

/** The stored data of a note document. */
export interface NoteSource {
  readonly uri: string;
  readonly url: string | null;
  readonly visibility: number;
  readonly author: string;
  readonly contentHtml: string;
  readonly spoiler: string;
  readonly sensitive: boolean;
  readonly language: string | null;
  readonly source: string | null;
  readonly contentType: string;
  readonly createdAt: string;
  readonly editedAt: string | null;
  readonly inReplyTo: string | null;
  /** Author of the parent. */
  readonly replyToActor: string | null;
  /** The group in whose thread it stands. */
  readonly group: string | null;
  readonly context: string | null;
  readonly mentions: readonly { readonly apId: string; readonly handle: string; readonly silent: boolean }[];
  readonly tags: readonly string[];
  readonly attachments: readonly AttachmentRow[];
  /** The id of the post that it quotes, unless the quoted author refuses that. */
  readonly quoteUri: string | null;
  /** Its page. */
  readonly quoteUrl: string | null;
  /** Its author, where the post is known and another's. */
  readonly quotedAuthor: string | null;
  /** The id of that author's consent. */
  readonly quoteApproval: string | null;
  /** The author's choice of who may quote the post itself. */
  readonly quotePolicy: number | null;
  readonly poll: PollSource | null;
  /** The numbers that visitors see. */
  readonly repliesCount: number;
  readonly favouritesCount: number;
  readonly reblogsCount: number;
  /** Earlier versions of a public or unlisted post, the newest first. */
  readonly former: readonly FormerSource[];
  /** The first public and unlisted replies, the oldest first. */
  readonly replies: readonly { readonly id: string; readonly uri: string }[];
}

/** The most replies that a document lists; the others are on the pages of their collection. */
export const MOST_LISTED_REPLIES = 20;

/** The most earlier versions that a document holds, and the bytes of their contents together: it is sent to every inbox. */
export const MOST_FORMER = 20;
export const FORMER_BYTES = 100_000;

/** The stored data of an earlier version. */
export interface FormerSource {
  readonly contentHtml: string;
  readonly spoiler: string;
  readonly sensitive: boolean;
  /** When it was written. */
  readonly createdAt: string;
}

/** The stored data of a poll. */
export interface PollSource {
  readonly multiple: boolean;
  /** Whether the counts are hidden until its end. */
  readonly hideTotals: boolean;
  readonly votersCount: number;
  /** Null for a poll without an end. */
  readonly expiresAt: string | null;
  readonly expired: boolean;
  readonly options: readonly { readonly title: string; readonly votesCount: number }[];
}

/** The context of a note document. */
export interface NoteContext {
  readonly baseUrl: string;
  /** The address of an attachment's file. */
  readonly fileUrl: (attachment: AttachmentRow) => string;
  /** The custom emoji in a version of it. */
  readonly emojisOf: (version: Pick<NoteSource, 'contentHtml' | 'spoiler'>) => readonly EmojiTag[];
}

/** The ActivityPub document of a local post (ActivityStreams: Note, Question for a poll). Callers check access. */
export function noteDocument(note: NoteSource, { baseUrl, fileUrl, emojisOf }: NoteContext): Record<string, unknown> {
  const { to, cc } = addressing(note, baseUrl);
  const content = withQuoteLink(withoutVouching(note.contentHtml), note);
  return {
    '@context': documentContext(baseUrl),
    id: note.uri,
    type: note.poll ? 'Question' : 'Note',
    actor: note.author,
    attributedTo: note.author,
    to,
    cc,
    ...groupAudience(note),
    content,
    ...(note.language === null ? {} : { contentMap: { [note.language]: content } }),
    summary: note.spoiler,
    sensitive: note.sensitive,
    published: note.createdAt,
    ...(note.editedAt === null ? {} : { updated: note.editedAt }),
    url: note.url ?? note.uri,
    inReplyTo: note.inReplyTo,
    ...(PUBLIC_OR_UNLISTED.includes(note.visibility) ? collections(note) : {}),
    ...(note.context === null ? {} : { context: note.context, conversation: note.context }),
    attachment: note.attachments.map((attachment) => attachmentDocument(attachment, fileUrl(attachment))),
    tag: [
      ...note.mentions.filter(({ silent }) => !silent).map(mention),
      ...note.tags.map((name) => hashtag(name, baseUrl)),
      ...emojisOf(note).map(emojiTag),
      ...quoteLinks(note),
    ],
    ...quoteProperties(note),
    interactionPolicy: interactionPolicy(note),
    ...(note.poll ? question(note.poll) : {}),
    ...(note.former.length === 0 ? {} : { formerRepresentations: formerCollection(note, { to, cc }, emojisOf) }),
    ...(note.source === null ? {} : { source: { content: note.source, mediaType: note.contentType } }),
  };
}

/**
 * The addressees of a post (ActivityPub §5.6), the author of what it quotes and the group of its thread among them.
 * Local-only posts go to this server's own public collection. Members of an exclusive list must not learn of each other:
 * they are left out, as `bcc` is on delivery (ActivityPub §6).
 */
export function addressing(note: NoteSource, baseUrl: string): { to: string[]; cc: string[] } {
  const followers = followersOf(note.author);
  const people = note.mentions.filter(({ silent }) => !silent).map(({ apId }) => apId);
  const isOpen = PUBLIC_OR_UNLISTED.includes(note.visibility); // an answer for followers only is for nobody else (spec §10.8)
  const named = unique([...people, isOpen ? note.replyToActor : null]);
  const others = [note.quotedAuthor, groupAudience(note).audience];
  const referred = unique(others.filter((uri) => typeof uri === 'string' && !named.includes(uri)));
  switch (note.visibility) {
    case Visibility.public:
      return { to: [PUBLIC, ...named], cc: [followers, ...referred] };
    case Visibility.unlisted:
      return { to: [followers, ...named], cc: [PUBLIC, ...referred] };
    case Visibility.local:
      return { to: [`${baseUrl}/#Public`, ...named], cc: [followers] };
    case Visibility.private:
      return { to: [followers, ...named], cc: referred };
    default:
      return { to: people, cc: [] };
  }
}

/** The group that a post for everybody is for (FEP-1b12): what is for few is none of its business. */
function groupAudience({ visibility, group }: Pick<NoteSource, 'visibility' | 'group'>): { audience?: string } {
  return group !== null && PUBLIC_OR_UNLISTED.includes(visibility) ? { audience: group } : {};
}

/** The hidden addressees of a post, for its author only. */
export function blindCopies({ mentions }: NoteSource): string[] {
  return mentions.filter(({ silent }) => silent).map(({ apId }) => apId);
}

/** A file of a post or chat message. */
export function attachmentDocument(attachment: AttachmentRow, url: string): Record<string, unknown> {
  const { mimeType: mediaType, description, blurhash, width, height } = attachment;
  return {
    type: 'Document',
    mediaType,
    url,
    name: description || null,
    ...(blurhash === null ? {} : { blurhash }),
    ...(width === null || height === null ? {} : { width, height }),
  };
}

/** The replies with their first page embedded, which many readers do not fetch, and the numbers of favourites and boosts. */
function collections({ uri, replies, ...counts }: NoteSource): Record<string, unknown> {
  const id = `${uri}/replies`;
  const last = replies.length === MOST_LISTED_REPLIES ? replies.at(-1) : undefined;
  const next = last && { next: `${id}?page=true&min_id=${last.id}` };
  const first = { type: 'CollectionPage', partOf: id, ...next, items: replies.map((reply) => reply.uri) };
  return {
    replies: { id, type: 'Collection', totalItems: counts.repliesCount, first },
    likes: { type: 'Collection', totalItems: counts.favouritesCount },
    shares: { type: 'Collection', totalItems: counts.reblogsCount },
  };
}

/** The earlier versions, each with what readers demand of any post, and without an id: nothing is served under one. */
function formerCollection(
  { former, author, createdAt: published }: NoteSource,
  addressees: { readonly to: string[]; readonly cc: string[] },
  emojisOf: NoteContext['emojisOf'],
): Record<string, unknown> {
  const orderedItems = former.map((version) => ({
    type: 'Note',
    actor: author,
    attributedTo: author,
    ...addressees,
    content: withoutVouching(version.contentHtml),
    summary: version.spoiler,
    sensitive: version.sensitive,
    published,
    ...(version.createdAt === published ? {} : { updated: version.createdAt }),
    attachment: [],
    tag: emojisOf(version).map(emojiTag),
  }));
  return { type: 'OrderedCollection', totalItems: orderedItems.length, orderedItems };
}

/** The properties of a poll. Hidden counts are sent as 0 until its end. */
function question(poll: PollSource): Record<string, unknown> {
  const isHidden = poll.hideTotals && !poll.expired;
  const options = poll.options.map(({ title, votesCount }) => ({
    type: 'Note',
    name: title,
    replies: { type: 'Collection', totalItems: isHidden ? 0 : votesCount },
  }));
  return {
    [poll.multiple ? 'anyOf' : 'oneOf']: options,
    ...(poll.expiresAt === null ? {} : { endTime: poll.expiresAt }),
    ...(poll.expired && poll.expiresAt !== null ? { closed: poll.expiresAt } : {}),
    votersCount: isHidden ? 0 : poll.votersCount,
  };
}

function mention({ apId, handle }: NoteSource['mentions'][number]): Record<string, string> {
  return { type: 'Mention', href: apId, name: `@${handle}` };
}

function hashtag(name: string, baseUrl: string): Record<string, string> {
  return { type: 'Hashtag', href: `${baseUrl}/tags/${encodeURIComponent(name)}`, name: `#${name}` };
}

/** A custom emoji among the tags of a document (toot:Emoji). */
export function emojiTag({ shortcode, url, updatedAt }: EmojiTag): Record<string, unknown> {
  return { id: url, type: 'Emoji', name: `:${shortcode}:`, icon: { type: 'Image', url }, updated: updatedAt };
}
