import { parseUrl } from '../../platform/index.js';
import { cleanText, momentOf, readForeignDocument, textProblem, UnreadableJson } from '../../common/index.js';
import { typeAmong } from './types.js';
import { sameHost } from './uris.js';

/**
 * Readers of values in documents of other servers, which may be anything: they read one level, never throw, and take no
 * more than their limits (threats F8, F13).
 */

/** An object of a document. */
export type Document = Readonly<Record<string, unknown>>;

/** Longest address that is kept. */
const MAX_URI = 2048;
/** The largest number that is read: counters go on from it, and stay within PostgreSQL's `integer`. */
const MAX_COUNT = 2_000_000_000;

/** The document in a text of another server; undefined when there is none. */
export function readDocument(text: string): Document | undefined {
  try {
    return documentOf(readForeignDocument(text));
  } catch (error) {
    if (error instanceof UnreadableJson) return undefined;
    throw error;
  }
}

/** The value as an object; undefined for arrays, texts and all else. */
export function documentOf(value: unknown): Document | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Document) : undefined;
}

/** The first `most` values of a list; one value stands for a list of one, null for an empty one. */
export function listOf(value: unknown, most: number): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value.slice(0, most) : [value];
}

/** The first value that the reader can use. */
export function firstOf<T>(values: readonly unknown[], read: (value: unknown) => T | undefined): T | undefined {
  for (const value of values) {
    const found = read(value);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The values that the reader can use, without repetitions. */
export function allOf<T>(values: readonly unknown[], read: (value: unknown) => T | undefined): T[] {
  const found = new Set<T>();
  for (const value of values) {
    const each = read(value);
    if (each !== undefined) found.add(each);
  }
  return [...found];
}

/** The type of an object, the first known one of several. */
export function typeOf(value: unknown): string | undefined {
  return typeAmong(listOf(documentOf(value)?.['type'], 16).flatMap((type) => textOf(type) ?? []));
}

/** Whether an object says that it is a collection, or a page of one. */
export function isCollection(value: unknown): value is Document {
  return /Collection(Page)?$/.test(typeOf(value) ?? '');
}

/** A text of any length, as it is. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A plain text, clean and bounded; empty for anything else. */
export function plainTextOf(value: unknown, maxLength: number): string {
  return typeof value === 'string' ? cleanText(value, { maxLength }).trim() : '';
}

const FLAGS = new Map<unknown, boolean>([
  [true, true],
  ['true', true],
  [false, false],
  ['false', false],
]);

/** A flag, which some servers send as text or in a list, where one that is true counts; undefined for anything else. */
export function flagOf(value: unknown): boolean | undefined {
  const flags = allOf(listOf(value, 16), (each) => FLAGS.get(each));
  return flags.includes(true) || flags[0];
}

/** A whole number from 0 to {@link MAX_COUNT}. */
export function countOf(value: unknown): number | undefined {
  if (typeof value !== 'number' || Number.isNaN(value)) return undefined;
  return Math.min(Math.max(Math.trunc(value), 0), MAX_COUNT);
}

/** The size of a collection, embedded as an object or given as a number. */
export function sizeOf(value: unknown): number | undefined {
  return countOf(documentOf(value)?.['totalItems'] ?? value);
}

/** An address on the web, as it was written: ids are compared letter by letter. */
export function uriOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_URI || !/^https?:\/\/[^\s\p{Cc}]+$/u.test(value))
    return undefined;
  const url = textProblem(value) === undefined ? parseUrl(value) : null;
  return url !== null && url.username === '' && url.password === '' ? value : undefined;
}

/** The address of a thing that is named by its id or embedded. */
export function idOf(value: unknown): string | undefined {
  return uriOf(value) ?? uriOf(documentOf(value)?.['id']);
}

/** The target of a link: an address, or an object with `href`, or one with `url`. */
export function linkOf(value: unknown): string | undefined {
  const link = documentOf(value);
  return uriOf(value) ?? uriOf(link?.['href']) ?? (link ? uriOf(link['url']) : undefined);
}

/** The media type of a file or link, which some servers spell `mimeType`, without its parameters. */
export function mediaTypeOf(file: Document): string | undefined {
  const type = textOf(file['mediaType'] ?? file['mimeType']);
  return type?.slice(0, 200).split(';')[0]?.trim().toLowerCase();
}

/** The page for people among several addresses: the one that is HTML, else the first. */
export function pageOf(value: unknown): string | undefined {
  const links = listOf(value, 32);
  const isPage = (link: unknown) => mediaTypeOf(documentOf(link) ?? {}) === 'text/html';
  return firstOf(links.filter(isPage), linkOf) ?? firstOf(links, linkOf);
}

/** {@link pageOf} when it lies on the server of the thing itself: elsewhere it would be another's page (threat F29). */
export function ownPageOf(value: unknown, id: string): string | null {
  const page = pageOf(value);
  return page !== undefined && sameHost(page, id) ? page : null;
}

/** Programs that know no time write one up to the beginning of this year: the zero of their clock. */
const FIRST_YEAR = 1901;

/** A moment; undefined for one that is invalid, or that programs write for none. */
export function dateOf(value: unknown): Date | undefined {
  if (typeof value !== 'string' || value.length > 64) return undefined;
  const moment = momentOf(value);
  return moment !== undefined && moment.getUTCFullYear() >= FIRST_YEAR ? moment : undefined;
}

/** A stated time, for the order of versions: one that is further ahead than clocks may be counts as now (threat F18). */
export function withinClocks(stated: Date, aheadSeconds: number): Date {
  const now = Date.now();
  return stated.getTime() <= now + aheadSeconds * 1_000 ? stated : new Date(now);
}

/** A moment that is over: one of the future counts as now (threat F18). */
export function pastDateOf(value: unknown): Date | undefined {
  const date = dateOf(value);
  return date === undefined || date.getTime() <= Date.now() ? date : new Date();
}
