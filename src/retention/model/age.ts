import { firstFlakeAt } from '../../platform/index.js';

const DAY_MS = 86_400_000;

/** The first id of a status or an account that is younger than so many days. */
export function cutoffId(days: number): string {
  return firstFlakeAt(Math.max(0, Math.floor(Date.now() - days * DAY_MS)));
}
