import { languageTag } from '../../common/index.js';

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
