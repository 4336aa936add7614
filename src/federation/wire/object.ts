import { codePointLength, escapeHtml, type ForeignPost } from '../../common/index.js';
import type { StoredEmoji } from '../../emoji/index.js';
import type { RemoteAttachment } from '../../media/index.js';
import type { RemotePoll } from '../../statuses/index.js';
import { addresseesOf, type Addressees } from './addressing.js';
import { parseAttachments, parseOwnFile, parsePageLinks, parsePicture } from './attachments.js';
import { parsePoll } from './poll.js';
import { parseTags } from './tags.js';
import { sameHost } from './uris.js';
import {
  allOf,
  type Document,
  documentOf,
  firstOf,
  flagOf,
  idOf,
  listOf,
  ownPageOf,
  pageOf,
  pastDateOf,
  plainTextOf,
  textOf,
  typeOf,
  uriOf,
} from './values.js';

/** Posts without a title. */
const NOTES: readonly string[] = ['Note', 'Question', 'Answer'];
/** Posts with a title. */
const TITLED: readonly string[] = ['Page', 'Article', 'Event', 'Image', 'Document'];
/** Posts that are a file themselves. */
const FILES: readonly string[] = ['Video', 'Audio'];
const TYPES: readonly string[] = [...NOTES, ...TITLED, ...FILES];

/** Longer posts are refused, not cut (federation: objects). */
const MAX_CONTENT = 100_000;
/** More than is kept: some servers send HTML. */
const MAX_SUMMARY = 40_000;
const MAX_NAME = 1_000;
const MAX_CONTEXT = 2_048;
const MAX_REPLIES = 100;
const MAX_GROUPS = 4;

/** A post of another server as its document describes it. */
export interface RemoteObject extends Addressees {
  readonly id: string;
  readonly type: string;
  /** The author; on the server of the object. */
  readonly attributedTo: string;
  readonly url: string | null;
  readonly directMessage: boolean;
  readonly published: Date | null;
  readonly updated: Date | null;
  /** Not parsed yet: only posts that concern this server are parsed (threat F22). The title is in `before`. */
  readonly texts: ForeignPost;
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
  /** The first replies that it names. */
  readonly replies: readonly string[];
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
  if (codePointLength(body.texts.content) > MAX_CONTENT) return undefined;
  const refers = refersOf(object, named.id);
  const name = textOf(object['name'])?.slice(0, MAX_NAME) ?? null;
  const isNote = named.type === 'Note' || named.type === 'Answer';
  const isVote = isNote && Boolean(name && refers.inReplyTo) && body.texts.content === '';
  if (named.type === 'Answer' && !isVote) return undefined;
  const poll = named.type === 'Question' ? parsePoll(object) : null;
  return { ...addresseesOf(object), ...body, ...refers, ...datesOf(object), ...named, poll, isVote, name };
}

function datesOf(object: Document) {
  return {
    published: pastDateOf(object['published']) ?? null,
    updated: pastDateOf(object['updated']) ?? null,
    directMessage: flagOf(object['directMessage']) ?? false,
  };
}

function refersOf(object: Document, id: string) {
  const { emojis, hashtags, mentions, quote } = parseTags(object['tag']);
  const quotes = ['quote', 'quoteUrl', 'quoteUri', '_misskey_quote'].map((key) => object[key]);
  return {
    emojis,
    hashtags,
    mentions: mentions.map((href) => ({ href })),
    quoteUri: firstOf(quotes, idOf) ?? quote ?? null,
    url: ownPageOf(object['url'], id),
    audience: allOf(listOf(object['audience'], MAX_GROUPS), idOf),
    inReplyTo: firstOf(listOf(object['inReplyTo'], 4), idOf) ?? null,
    context: contextOf(object['context']) ?? contextOf(object['conversation']) ?? null,
    replies: repliesOf(object['replies']),
  };
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
  const summary = plainTextOf(object['summary'], MAX_SUMMARY);
  const isWarning = !isTitled || isSensitive === true;
  const { content, language } = contentOf(object);
  const isExcerptShown = content === '' && isTitled && !isWarning;
  return {
    texts: {
      content: isExcerptShown ? summary : content,
      mediaType: isExcerptShown ? undefined : object['mediaType'],
      ...(isTitled ? frameOf(object) : { before: '', after: '' }),
      summary: isWarning ? summary : '',
    },
    sensitive: isSensitive ?? false,
    language,
    attachments: filesOf(object, type),
  };
}

function filesOf(object: Document, type: string): RemoteAttachment[] {
  const own = type === 'Image' || type === 'Document' ? parseAttachments({ ...object, type: 'Document' }) : [];
  const others = FILES.includes(type) ? parseOwnFile(object) : parseAttachments(object['attachment']);
  const files = [...own, ...others];
  return files.length === 0 && !NOTES.includes(type) ? parsePicture(object) : files;
}

/** The title as a link to the page, and the pages that are attached, as HTML. */
function frameOf(object: Document) {
  const title = plainTextOf(object['name'], MAX_NAME);
  const page = pageOf(object['url']) ?? uriOf(object['id']) ?? '';
  const links = parsePageLinks(object['attachment']).map((url) => paragraphLink(url, url));
  return { before: title === '' ? '' : paragraphLink(page, title), after: links.join('') };
}

function paragraphLink(url: string, text: string): string {
  return `<p><a href="${escapeHtml(url)}">${escapeHtml(text)}</a></p>`;
}

/** The text, and its language, where the object names one. */
function contentOf(object: Document): { content: string; language: string | null } {
  const map = Object.entries(documentOf(object['contentMap']) ?? {}).slice(0, 100);
  const content = textOf(object['content']) ?? textOf(map[0]?.[1]) ?? '';
  const { identifier } = documentOf(object['language']) ?? {};
  const language = textOf(identifier) ?? map.find(([, each]) => each === content)?.[0] ?? textOf(object['language']);
  return { content, language: language ?? null };
}

/** A conversation may be named by any text, such as a `tag:` URI. */
function contextOf(value: unknown): string | undefined {
  const text = textOf(value) ?? idOf(value);
  return text !== undefined && text.length <= MAX_CONTEXT && /^\w+:[^\s\p{Cc}]+$/u.test(text) ? text : undefined;
}

/** The replies in an embedded collection or its first page. */
function repliesOf(value: unknown): string[] {
  const replies = documentOf(value);
  const page = documentOf(replies?.['first']);
  const lists = [replies?.['items'], replies?.['orderedItems'], page?.['items'], page?.['orderedItems']];
  return lists.flatMap((list) => listOf(list, MAX_REPLIES).flatMap((each) => idOf(each) ?? [])).slice(0, MAX_REPLIES);
}
