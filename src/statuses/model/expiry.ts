import { Unprocessable } from '../../common/index.js';
import { job } from '../../platform/index.js';

/** Deletes a status at the time its author chose (spec §4.3, `expires_in`). */
export const ExpireStatus = job<{ statusId: string }>('statuses.expire', 'maintenance');

/** Keys of the jobs for the end of a status and of its poll: there is one at most, which goes with what it is about. */
export const endOfStatus = (statusId: string): string => `status-end:${statusId}`;
export const endOfPoll = (statusId: string): string => `poll-end:${statusId}`;

/** A status lives longer than an hour, in seconds. */
const SHORTEST_LIFE = 3_600;

/**
 * When a status ends that lives so many seconds from `now` on; null without a limit.
 * @throws Unprocessable when that is an hour or less
 */
export function expiryOf(seconds: number | undefined, now: Date): Date | null {
  if (seconds === undefined) return null;
  if (seconds <= SHORTEST_LIFE) throw new Unprocessable('Expiry date is too soon');
  return new Date(now.getTime() + seconds * 1_000);
}
