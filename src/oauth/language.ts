/** A language tag as it may be stored and put into headers. */
const TAG = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/;

/**
 * The first language that somebody named, of candidates in the order of their weight. Each may hold several, separated by
 * commas, and be spelled with underscores, as frontends do in their cookie.
 */
export function firstLanguage(candidates: readonly (string | undefined)[]): string | undefined {
  return candidates
    .flatMap((text) => text?.split(',') ?? [])
    .map((text) => text.trim().replaceAll('_', '-'))
    .find((text) => text.length <= 35 && TAG.test(text));
}

/** The value of a cookie, as it was sent. */
export function cookieValue(header: string | undefined, name: string): string | undefined {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}
