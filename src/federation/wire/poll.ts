import { cleanText } from '../../common/index.js';
import type { RemotePoll } from '../../statuses/index.js';
import { countOf, dateOf, type Document, documentOf, flagOf, listOf, sizeOf } from './values.js';
import { wordsOf } from './words.js';

const MAX_OPTIONS = 100;
const MAX_TITLE = 1_000;

/** The poll of a Question; null when it has no options. The names of options stay as they are: votes repeat them. */
export function parsePoll(question: Document): RemotePoll | null {
  const [one, any] = [listOf(question['oneOf'], MAX_OPTIONS), listOf(question['anyOf'], MAX_OPTIONS)];
  const multiple = one.length === 0;
  const options = (multiple ? any : one).flatMap(optionOf);
  if (options.length === 0) return null;
  const votes = options.map((option) => option.votes);
  const least = multiple ? Math.max(...votes) : votes.reduce((sum, each) => sum + each, 0);
  const stated = countOf(question['votersCount']);
  const voters = stated ?? countOf(least) ?? 0;
  const mayBeMore = multiple && stated === undefined;
  const nonAnonymous = flagOf(question['nonAnonymous']) === true || flagOf(question['anonymous']) === false;
  return { options, multiple, expiresAt: endOf(question), voters, mayBeMore, nonAnonymous };
}

function optionOf(value: unknown): { title: string; votes: number }[] {
  const option = documentOf(value);
  const title = cleanText(wordsOf(option, 'name').text, { maxLength: MAX_TITLE });
  return title === ''
    ? []
    : [{ title, votes: sizeOf(option?.['replies']) ?? countOf(option?.['_misskey_votes']) ?? 0 }];
}

/** `closed` is the time of the end, or `true` after the end. */
function endOf({ closed, endTime, updated, published }: Document): Date | null {
  const end = dateOf(closed) ?? dateOf(endTime);
  const isOver = closed === true && (end === undefined || end.getTime() > Date.now());
  return isOver ? (dateOf(updated) ?? dateOf(published) ?? new Date(0)) : (end ?? null);
}
