import { blocks, blocksServerOf, mutes } from '../model/relations.sql.js';

/**
 * Whether a viewer may be shown an account in a directory, a suggestion or a search. `account` is the alias of a row of
 * `accounts`, `viewer` a placeholder that is `''` for anonymous callers.
 */

/**
 * For searches by the whole handle or address. Leaves out `invisible` accounts (relays), and accounts that the viewer
 * blocks, also with their servers. Shows accounts that block the viewer, as their profiles do. Index: blocks_pair,
 * domain_blocks_pkey.
 */
export function isFindableByName(account: string, viewer: string): string {
  return `not ${account}.invisible and not ${blocks(viewer, `${account}.id`)} and not ${blocksServerOf(viewer, account)}`;
}

/** Also leaves out accounts that block the viewer. */
export function isFindable(account: string, viewer: string): string {
  return `${isFindableByName(account, viewer)} and not ${blocks(`${account}.id`, viewer)}`;
}

/** Discoverable, and not muted by the viewer. Index: mutes_pair. */
export function isSuggestible(account: string, viewer: string): string {
  return `${isFindable(account, viewer)} and not ${mutes(viewer, `${account}.id`)}`;
}
