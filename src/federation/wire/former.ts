import type { ForeignStatus } from '../../common/index.js';
import type { StoredEmoji } from '../../emoji/index.js';
import { parseEmojiTags } from './tags.js';
import { type Document, documentOf, flagOf, idOf, listOf, pastDateOf, typeOf } from './values.js';
import { plainWordsOf, wordsOf } from './words.js';

/** An earlier version of a post, as its document describes it. */
export interface FormerVersion {
  /** Not parsed yet. */
  readonly texts: ForeignStatus;
  readonly sensitive: boolean;
  readonly emojis: readonly StoredEmoji[];
  /** When it was written. */
  readonly writtenAt: Date;
}

/** The newest versions, and the characters of their texts together, that are read. */
const MOST_VERSIONS = 20;
const MAX_CHARACTERS = 100_000;
/** More elements of a list are not looked at. */
const MAX_LISTED = 100;
const TYPES: readonly unknown[] = ['Note', 'Question'];

/** A version as it was sent, and when it was written. */
interface Listed {
  readonly json: Document;
  readonly writtenAt: Date;
}

/**
 * The earlier versions that a post names, the oldest first: those by its author, from before its edit. A post that was not
 * edited has none.
 */
export function parseFormer(
  object: Document,
  { id, author, updated }: { readonly id: string; readonly author: string; readonly updated: Date | null },
): FormerVersion[] {
  const collection = documentOf(object['formerRepresentations']);
  if (!collection || updated === null) return [];
  const listed = ['orderedItems', 'items'].flatMap((key) => listOf(collection[key], MAX_LISTED)).slice(0, MAX_LISTED);
  const versions = listed.flatMap((item) => listedVersion(documentOf(item), id, author) ?? []);
  const earlier = versions.filter(({ writtenAt }) => writtenAt < updated);
  const newest = earlier.sort((a, b) => Number(b.writtenAt) - Number(a.writtenAt)).slice(0, MOST_VERSIONS);
  let characters = 0;
  const bounded = newest.map(versionOf).filter(({ texts }) => {
    characters += texts.content.length + texts.summary.length;
    return characters <= MAX_CHARACTERS;
  });
  return bounded.reverse();
}

/** A version may repeat the id and the author of its post, and names no others. */
function listedVersion(json: Document | undefined, id: string, author: string): Listed | undefined {
  if (!json || !TYPES.includes(typeOf(json))) return undefined;
  const named = [json['attributedTo'], json['actor']].flatMap((value) => listOf(value, 2).map(idOf));
  if (named.some((each) => each !== author) || (idOf(json['id']) ?? id) !== id) return undefined;
  const writtenAt = pastDateOf(json['updated']) ?? pastDateOf(json['published']);
  return writtenAt && { json, writtenAt };
}

function versionOf({ json, writtenAt }: Listed): FormerVersion {
  const texts = {
    content: wordsOf(json, 'content').text,
    mediaType: json['mediaType'],
    before: '',
    after: '',
    summary: plainWordsOf(json, 'summary', MAX_CHARACTERS),
  };
  return { texts, sensitive: flagOf(json['sensitive']) ?? false, emojis: parseEmojiTags(json['tag']), writtenAt };
}
