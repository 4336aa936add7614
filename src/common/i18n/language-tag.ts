/** A language tag that may be stored and put into headers. */
const TAG = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$/;
const MAX_LENGTH = 35;

/** The language tag of a text, which may use underscores; undefined for an invalid one. */
export function languageTag(text: string): string | undefined {
  const tag = text.trim().replaceAll('_', '-');
  return tag.length <= MAX_LENGTH && TAG.test(tag) ? tag : undefined;
}
