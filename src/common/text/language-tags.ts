import { Unprocessable } from '../errors/errors.js';
import { phrase } from '../reasons/reasons.js';

/** A language tag that may be stored and put into headers. */
const TAG = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$/;
const MAX_LENGTH = 35;

/** The language tag of a text, which may use underscores; undefined for an invalid one. */
export function languageTag(text: string): string | undefined {
  const tag = text.trim().replaceAll('_', '-');
  return tag.length <= MAX_LENGTH && TAG.test(tag) ? tag : undefined;
}

/** @throws Unprocessable for an invalid one */
export function requireLanguageTag(text: string): string {
  const tag = languageTag(text);
  if (tag === undefined) throw new Unprocessable(phrase('{text} is not a language tag', { text }));
  return tag;
}

/**
 * The first language among candidates in the order of their weight. Each may hold several, separated by commas, with
 * underscores, as frontends write them in their cookie.
 */
export function firstLanguage(candidates: readonly (string | undefined)[]): string | undefined {
  return candidates
    .flatMap((text) => text?.split(',') ?? [])
    .map(languageTag)
    .find((tag) => tag !== undefined);
}
