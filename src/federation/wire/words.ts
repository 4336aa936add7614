import { type Document, documentOf, firstOf, listOf, plainTextOf, textOf } from './values.js';

/** A text of a document, and its language where the document names one. */
export interface Words {
  /** As it is; empty when there is none. */
  readonly text: string;
  readonly language: string | null;
}

/** More texts of one name are not read. */
const MAX_TEXTS = 100;
const UNKNOWN_LANGUAGE = 'und';

/**
 * The words under a name: a text, the first of a list, `{"@value"}`, or the first of the map of languages beside it. The
 * map names the language of a text that is written differently there too, since servers change one of the two only.
 */
export function wordsOf(object: Document | undefined, name: string): Words {
  const map = documentOf(object?.[`${name}Map`]) ?? {};
  const translated = firstKeys(map).map((language) => ({ text: '', ...valueOf(map[language]), language }));
  const own = firstOf(listOf(object?.[name], MAX_TEXTS), valueOf);
  const { text } = own ?? translated.find((each) => each.text !== '') ?? { text: '' };
  const same = translated.find((each) => each.text === text) ?? translated[0];
  const language = own?.language ?? same?.language ?? UNKNOWN_LANGUAGE;
  return { text, language: language === UNKNOWN_LANGUAGE ? null : language };
}

/** The first names of a document. `Object.keys` would copy all of them each time. */
function firstKeys(map: Document): string[] {
  const keys: string[] = [];
  for (const key in map) {
    if (keys.push(key) === MAX_TEXTS) break;
  }
  return keys;
}

/** The words as plain text, clean and bounded. */
export function plainWordsOf(object: Document | undefined, name: string, maxLength: number): string {
  return plainTextOf(wordsOf(object, name).text, maxLength);
}

function valueOf(value: unknown): { text: string; language?: string | undefined } | undefined {
  const text = textOf(value) ?? textOf(documentOf(value)?.['@value']);
  return text === undefined || text === '' ? undefined : { text, language: textOf(documentOf(value)?.['@language']) };
}
