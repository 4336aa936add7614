import { type Outcome, retry, skip } from '../../platform/index.js';

/** Letters of a kind to one account within an hour, for any number of requests (threat O13); refused tries do not count. */
export const LETTERS_AN_HOUR = 3;

const LATER_MS = 600_000;

/** What becomes of a letter beyond those of the hour: it is sent later, unless one of them has a link that is still valid. */
export function tooManyLetters(hasValidLink: boolean): Outcome {
  const reason = 'The account got enough letters within the hour';
  return hasValidLink ? skip(reason) : retry(reason, LATER_MS);
}
