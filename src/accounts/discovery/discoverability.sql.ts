import { unexpired } from '../model/relationship.repository.js';

/*
 * Whether somebody may be shown to a viewer as one of many: in a directory, among suggestions, as found. `account` is the
 * alias of a row of `accounts`, `viewer` a placeholder whose value is `''` for anonymous callers.
 */

/** Neither of the two blocks the other. Index: blocks_pair. */
function isUnblocked(account: string, viewer: string): string {
  const block = (from: string, to: string) =>
    `blocks b where b.account_id = ${from} and b.target_id = ${to} and ${unexpired('b')}`;
  return `not ${some(block(viewer, `${account}.id`))} and not ${some(block(`${account}.id`, viewer))}`;
}

/** Neither blocks the other, nor does the viewer block the account's server. Index: domain_blocks_pkey. */
export function isFindable(account: string, viewer: string): string {
  const domain = `domain_blocks d where d.account_id = ${viewer} and d.domain = ${account}.domain`;
  return `${isUnblocked(account, viewer)} and not ${some(domain)}`;
}

/** Findable, and not muted by the viewer. Index: mutes_pair. */
export function isWelcome(account: string, viewer: string): string {
  const mute = `mutes m where m.account_id = ${viewer} and m.target_id = ${account}.id and ${unexpired('m')}`;
  return `${isFindable(account, viewer)} and not ${some(mute)}`;
}

/** Whether there is such a row. Not written as `exists`, which PostgreSQL may turn into a hash of all rows of the viewer. */
function some(rows: string): string {
  return `coalesce((select true from ${rows} limit 1), false)`;
}
