import { blocksServerOf, eitherBlocks, mutes } from '../model/relations.sql.js';

/**
 * Whether a viewer may be shown an account in a directory, a suggestion or a search. `account` is the alias of a row of
 * `accounts`, `viewer` a placeholder that is `''` for anonymous callers.
 */

/** No block in either direction, and no block of the account's server by the viewer. Index: domain_blocks_pkey. */
export function isFindable(account: string, viewer: string): string {
  return `not ${eitherBlocks(viewer, `${account}.id`)} and not ${blocksServerOf(viewer, account)}`;
}

/** Discoverable, and not muted by the viewer. Index: mutes_pair. */
export function isSuggestible(account: string, viewer: string): string {
  return `${isFindable(account, viewer)} and not ${mutes(viewer, `${account}.id`)}`;
}
