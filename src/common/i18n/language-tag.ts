/** A language tag as it may be stored and put into headers. */
const TAG = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$/;
const MAX_LENGTH = 35;

/** The language tag that somebody named, who may have spelled it with underscores; undefined for what is none. */
export function languageTag(text: string): string | undefined {
  const tag = text.trim().replaceAll('_', '-');
  return tag.length <= MAX_LENGTH && TAG.test(tag) ? tag : undefined;
}
