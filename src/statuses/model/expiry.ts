import { Unprocessable } from '../../common/index.js';
import { job } from '../../platform/index.js';

/** Deletes a status at the time its author chose (spec §4.3, `expires_in`). */
export const ExpireStatus = job<{ statusId: string }>('statuses.expire', 'timed');

/**
 * Keys of the jobs that end a status and its poll. There is at most one job each, cancelled when its subject is
 * deleted.
 */
export const endOfStatus = (statusId: string): string => `status-end:${statusId}`;
export const endOfPoll = (statusId: string): string => `poll-end:${statusId}`;

/** An expiry must be more than an hour ahead. In seconds. */
const SHORTEST_LIFE = 3_600;

/**
 * Returns the time a number of seconds after `now`; null when no expiry is given.
 * @throws Unprocessable for an hour or less
 */
export function expiryOf(seconds: number | undefined, now: Date): Date | null {
  if (seconds === undefined) return null;
  if (seconds <= SHORTEST_LIFE) throw new Unprocessable('Expiry date is too soon');
  return new Date(now.getTime() + seconds * 1_000);
}
