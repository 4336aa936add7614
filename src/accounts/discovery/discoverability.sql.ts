import { someRow } from '../../platform/index.js';
import { blocks, blocksServerOf, mutes } from '../model/relations.sql.js';

/**
 * Whether a viewer may be shown an account in a directory, a suggestion, a search or another list. `account` is the alias of
 * a row of `accounts`, `viewer` a placeholder that is `''` for anonymous callers.
 */

/**
 * Whether the server shows profiles like this one to the caller. `here` and `elsewhere` are the placeholders of
 * `ListedProfiles`.
 */
export function isListed(account: string, here: string, elsewhere: string): string {
  return `case when ${account}.domain is null then ${here}::boolean else ${elsewhere}::boolean end`;
}

/** The same for the id of an account, which is looked up only where some profiles are not listed. Index: accounts_pkey. */
export function isIdListed(id: string, here: string, elsewhere: string): string {
  const account = `accounts l where l.id = ${id} and ${isListed('l', here, elsewhere)}`;
  return `(${here}::boolean and ${elsewhere}::boolean or ${someRow(account)})`;
}

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

/** How many entries of a list are examined where some profiles are not listed: few may be left of very many. */
const EXAMINED = 2_000;

/** The limit of the entries that are examined for a page of a list; none where all profiles are listed. */
export function mostExamined(here: string, elsewhere: string): string {
  return `case when ${here}::boolean and ${elsewhere}::boolean then null else ${EXAMINED} end`;
}

/** Discoverable, and not muted by the viewer. Index: mutes_pair. */
export function isSuggestible(account: string, viewer: string): string {
  return `${isFindable(account, viewer)} and not ${mutes(viewer, `${account}.id`)}`;
}
