import { cleanText, codePointLength, escapeHtml, type ForeignStatus } from '../../common/index.js';
import type { StoredEmoji } from '../../emoji/index.js';
import type { RemoteAttachment } from '../../media/index.js';
import type { RemotePoll } from '../../statuses/index.js';
import { addresseesOf, type Addressees, idsOf } from './addressing.js';
import { parseAttachments, parseOwnFile, parsePageLinks, parsePicture } from './attachments.js';
import { whenAndWhereOf } from './event.js';
import { type FormerVersion, parseFormer } from './former.js';
import { parsePoll } from './poll.js';
import { parseTags } from './tags.js';
import { sameHost } from './uris.js';
import {
  allOf,
  dateOf,
  type Document,
  documentOf,
  firstOf,
  flagOf,
  idOf,
  listOf,
  ownPageOf,
  pageOf,
  pastDateOf,
  sizeOf,
  textOf,
  typeOf,
  uriOf,
} from './values.js';
import { plainWordsOf, wordsOf } from './words.js';

/** Posts that few servers give a title. */
const NOTES: readonly string[] = ['Note', 'Question', 'Answer'];
/** Posts with a title. */
const TITLED: readonly string[] = ['Page', 'Article', 'Event', 'Image', 'Document'];
/** Posts that are a file themselves. */
const FILES: readonly string[] = ['Video', 'Audio'];
const TYPES: readonly string[] = [...NOTES, ...TITLED, ...FILES];

/** Longer posts are refused; of titled ones the beginning stays, with a link to the page (federation: objects). */
const MAX_CONTENT = 100_000;
/** More than is kept: some servers send HTML. */
const MAX_SUMMARY = 40_000;
const MAX_NAME = 1_000;
const MAX_CONTEXT = 2_048;
const MAX_REPLIES = 100;
const LEADING_TAGS = /^(?:\s|<[^>]*>)+/;
const MAX_GROUPS = 4;

/** A post of another server as its document describes it. */
export interface RemoteObject extends Addressees {
  readonly id: string;
  readonly type: string;
  /** The author; on the server of the object. */
  readonly attributedTo: string;
  readonly url: string | null;
  readonly directMessage: boolean;
  /** In the past. */
  readonly published: Date | null;
  /** As stated, for the order of versions. */
  readonly updated: Date | null;
  /** A moment after which its server served it so, if it was fetched; null for one that was sent. */
  readonly asOf: Date | null;
  /** When it was sent, as the activity states that brought it. */
  readonly sentAt: Date | null;
  /** Its earlier versions, the oldest first. */
  readonly former: readonly FormerVersion[];
  /** Not parsed yet: only posts that concern this server are parsed (threat F22). The title is in `before`. */
  readonly texts: ForeignStatus;
  readonly sensitive: boolean;
  readonly language: string | null;
  readonly emojis: readonly StoredEmoji[];
  readonly hashtags: readonly string[];
  readonly mentions: readonly { readonly href: string }[];
  readonly attachments: readonly RemoteAttachment[];
  readonly poll: RemotePoll | null;
  readonly context: string | null;
  /** The groups that it is for (FEP-1b12). */
  readonly audience: readonly string[];
  readonly inReplyTo: string | null;
  readonly quoteUri: string | null;
  /** The quoted author's consent (FEP-044f): its id, on the server of the quoted post. */
  readonly quoteApproval: string | null;
  /** Who may quote it without being asked, and who may ask (FEP-044f); null when it does not say. */
  readonly canQuote: { readonly automatic: readonly string[]; readonly manual: readonly string[] } | null;
  /** The first replies that it names. */
  readonly replies: readonly string[];
  /** The collection or page that names more of them; on the server of the object. */
  readonly moreReplies: string | null;
  /** The numbers of favourites and boosts that its server states. */
  readonly counts: { readonly favourites: number | null; readonly reblogs: number | null };
  /** A vote in the poll that it answers, for the option {@link name}; no post. */
  readonly isVote: boolean;
  readonly name: string | null;
}

/** Reads a post or a vote; undefined for anything else, and for one whose author lives on another server (threat F5). */
export function parseObject(json: unknown): RemoteObject | undefined {
  const object = documentOf(json);
  const type = typeOf(object);
  const id = uriOf(object?.['id']);
  if (!object || !id || type === undefined || !TYPES.includes(type)) return undefined;
  const attributedTo = authorOf(object['attributedTo']) ?? idOf(object['actor']);
  if (attributedTo === undefined || !sameHost(id, attributedTo)) return undefined;
  return read(object, { id, type, attributedTo });
}

function read(object: Document, named: Pick<RemoteObject, 'id' | 'type' | 'attributedTo'>): RemoteObject | undefined {
  const body = bodyOf(object, named.type);
  if (isTooLong(body.texts.content)) return undefined;
  const refers = refersOf(object, named.id);
  const name = wordsOf(object, 'name').text.slice(0, MAX_NAME) || null;
  const isNote = named.type === 'Note' || named.type === 'Answer';
  const isBare = body.texts.content === '' && body.attachments.length === 0;
  const isVote = isNote && Boolean(name && refers.inReplyTo) && isBare;
  if (named.type === 'Answer' && !isVote) return undefined;
  const poll = named.type === 'Question' ? parsePoll(object) : null;
  const dates = datesOf(object);
  const former = parseFormer(object, { id: named.id, author: named.attributedTo, updated: dates.updated });
  const sending = { asOf: null, sentAt: null };
  return { ...addresseesOf(object), ...body, ...refers, ...dates, ...named, ...sending, former, poll, isVote, name };
}

/** {@link parseObject} for a document that was fetched. */
export function parseFetched(
  found: { readonly document: Document; readonly asOf: Date } | 'gone' | undefined,
): RemoteObject | undefined {
  if (typeof found !== 'object') return undefined;
  const object = parseObject(found.document);
  return object && { ...object, asOf: found.asOf };
}

/** Some servers give every post an `updated`: only one after the publication, as both are stated, is an edit. */
function datesOf(object: Document) {
  const published = dateOf(object['published']);
  const updated = dateOf(object['updated']) ?? null;
  return {
    published: pastDateOf(object['published']) ?? null,
    updated: updated !== null && updated > (published ?? 0) ? updated : null,
    directMessage: flagOf(object['directMessage']) ?? false,
  };
}

function refersOf(object: Document, id: string) {
  const { emojis, hashtags, mentions, quote } = parseTags(object['tag']);
  const quotes = ['quote', 'quoteUrl', 'quoteUri', '_misskey_quote'].map((key) => object[key]);
  const quoteUri = firstOf(quotes, idOf) ?? quote ?? null;
  const approval = idOf(object['quoteAuthorization']);
  return {
    emojis,
    hashtags,
    mentions: mentions.map((href) => ({ href })),
    quoteUri,
    quoteApproval: approval !== undefined && sameHost(approval, quoteUri ?? '') ? approval : null,
    canQuote: canQuoteOf(object['interactionPolicy']),
    url: ownPageOf(object['url'], id),
    audience: allOf(listOf(object['audience'], MAX_GROUPS), idOf),
    inReplyTo: firstOf(listOf(object['inReplyTo'], 4), idOf) ?? null,
    context: contextOf(object['context']) ?? contextOf(object['conversation']) ?? null,
    ...repliesOf(object['replies'], id),
    counts: { favourites: sizeOf(object['likes']) ?? null, reblogs: sizeOf(object['shares']) ?? null },
  };
}

function canQuoteOf(policy: unknown): RemoteObject['canQuote'] {
  const rule = documentOf(documentOf(policy)?.['canQuote']);
  return rule ? { automatic: idsOf(rule['automaticApproval']), manual: idsOf(rule['manualApproval']) } : null;
}

/** The first address in a list, else the first person, else the first of anything, such as a group. */
function authorOf(value: unknown): string | undefined {
  const authors = listOf(value, 16);
  const isPerson = (each: unknown) => ['Person', 'Service', 'Application'].includes(typeOf(each) ?? '');
  return firstOf(authors, uriOf) ?? firstOf(authors.filter(isPerson), idOf) ?? firstOf(authors, idOf);
}

/** The texts and files. The summary of a titled post is an excerpt, unless it says that it hides something. */
function bodyOf(object: Document, type: string) {
  const isTitled = !NOTES.includes(type);
  const isSensitive = flagOf(object['sensitive']);
  const summary = plainWordsOf(object, 'summary', MAX_SUMMARY);
  const isWarning = !isTitled || isSensitive === true;
  const content = wordsOf(object, 'content').text;
  const isExcerptShown = content === '' && isTitled && !isWarning;
  return {
    texts: {
      content: isTitled ? beginningOf(isExcerptShown ? summary : content) : content,
      mediaType: isExcerptShown ? undefined : object['mediaType'],
      before: beforeOf(object, type, content),
      after: isTitled ? afterOf(object, content) : '',
      summary: isWarning ? summary : '',
    },
    sensitive: isSensitive ?? false,
    language: languageOf(object),
    attachments: filesOf(object, type),
  };
}

/** The summary of a picture that is a post belongs to the post. */
function filesOf(object: Document, type: string): RemoteAttachment[] {
  if (FILES.includes(type)) return parseOwnFile(object);
  const isPicture = type === 'Image' || type === 'Document';
  const own = { ...object, type: 'Document', summary: undefined, summaryMap: undefined };
  const files = [...(isPicture ? parseAttachments(own) : []), ...parseAttachments(object['attachment'])];
  return files.length === 0 && !NOTES.includes(type) ? parsePicture(object) : files;
}

/** The title as a link to the page, and when and where an event is, as HTML. Notes that begin with their title have it. */
function beforeOf(object: Document, type: string, content: string): string {
  const title = plainWordsOf(object, 'name', MAX_NAME);
  const start = NOTES.includes(type) ? content.replace(LEADING_TAGS, '') : '';
  const isRepeated = start.startsWith(title) || start.startsWith(escapeHtml(title));
  const facts = type === 'Event' ? whenAndWhereOf(object) : [];
  return [
    title === '' || isRepeated ? '' : paragraphLink(addressOf(object), title),
    facts.length === 0 ? '' : `<p>${facts.map(escapeHtml).join('<br>')}</p>`,
  ].join('');
}

/** The pages that are attached, and the own one of a post that is too long to be shown, as HTML. */
function afterOf(object: Document, content: string): string {
  const own = isTooLong(content) ? [addressOf(object)] : [];
  return [...parsePageLinks(object['attachment']), ...own].map((url) => paragraphLink(url, url)).join('');
}

function addressOf(object: Document): string {
  return pageOf(object['url']) ?? uriOf(object['id']) ?? '';
}

function isTooLong(content: string): boolean {
  return codePointLength(content) > MAX_CONTENT;
}

/** A text that is too long ends early, not within a tag. */
function beginningOf(content: string): string {
  if (!isTooLong(content)) return content;
  const text = cleanText(content, { maxLength: MAX_CONTENT });
  const tag = text.lastIndexOf('<');
  return tag > text.lastIndexOf('>') ? text.slice(0, tag) : text;
}

function paragraphLink(url: string, text: string): string {
  return `<p><a href="${escapeHtml(url)}">${escapeHtml(text)}</a></p>`;
}

/** The language that the object names, for itself or for one of its texts. */
function languageOf(object: Document): string | null {
  const { identifier } = documentOf(object['language']) ?? {};
  const ofTexts = ['content', 'name', 'summary'].map((name) => wordsOf(object, name).language);
  return textOf(identifier) ?? ofTexts.find((each) => each !== null) ?? textOf(object['language']) ?? null;
}

/** A conversation may be named by any text, such as a `tag:` URI. */
function contextOf(value: unknown): string | undefined {
  const text = textOf(value) ?? idOf(value);
  return text !== undefined && text.length <= MAX_CONTEXT && /^\w+:[^\s\p{Cc}]+$/u.test(text) ? text : undefined;
}

/** The replies in an embedded collection and its first page, and where more are. */
function repliesOf(value: unknown, id: string): Pick<RemoteObject, 'replies' | 'moreReplies'> {
  const collection = documentOf(value);
  const page = documentOf(collection?.['first']);
  const lists = [collection, page].flatMap((each) => [each?.['items'], each?.['orderedItems']]);
  const replies = lists.flatMap((list) => listOf(list, MAX_REPLIES).flatMap((each) => idOf(each) ?? []));
  const isEmbedded = page !== undefined || lists.some(Array.isArray) || sizeOf(value) === 0;
  const rest = idOf((page ?? collection)?.['next']) ?? uriOf(collection?.['first']);
  const more = rest ?? (isEmbedded ? undefined : idOf(value));
  const isOwn = more !== undefined && sameHost(more, id);
  return { replies: replies.slice(0, MAX_REPLIES), moreReplies: isOwn ? more : null };
}
