import type { ForeignPost } from '../../common/index.js';
import type { StoredEmoji } from '../../emoji/index.js';
import { parseEmojiTags } from './tags.js';
import { type Document, documentOf, flagOf, idOf, listOf, pastDateOf, typeOf } from './values.js';
import { plainWordsOf, wordsOf } from './words.js';

/** An earlier version of a post, as its document describes it. */
export interface FormerVersion {
  /** Not parsed yet. */
  readonly texts: ForeignPost;
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
  const versions = listed.flatMap((item) => versionOf(documentOf(item), id, author) ?? []);
  const earlier = versions.filter(({ writtenAt }) => writtenAt < updated);
  const newest = earlier.sort((a, b) => Number(b.writtenAt) - Number(a.writtenAt)).slice(0, MOST_VERSIONS);
  let characters = 0;
  const bounded = newest.filter(({ texts }) => {
    characters += texts.content.length + texts.summary.length;
    return characters <= MAX_CHARACTERS;
  });
  return bounded.reverse();
}

/** A version may repeat the id and the author of its post, and names no others. */
function versionOf(version: Document | undefined, id: string, author: string): FormerVersion | undefined {
  if (!version || !TYPES.includes(typeOf(version))) return undefined;
  const named = [version['attributedTo'], version['actor']].flatMap((value) => listOf(value, 2).map(idOf));
  if (named.some((each) => each !== author) || (idOf(version['id']) ?? id) !== id) return undefined;
  const writtenAt = pastDateOf(version['updated']) ?? pastDateOf(version['published']);
  if (!writtenAt) return undefined;
  const summary = plainWordsOf(version, 'summary', MAX_CHARACTERS);
  const texts = {
    content: wordsOf(version, 'content').text,
    mediaType: version['mediaType'],
    before: '',
    after: '',
    summary,
  };
  return { texts, sensitive: flagOf(version['sensitive']) ?? false, emojis: parseEmojiTags(version['tag']), writtenAt };
}
