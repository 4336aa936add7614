import { someRow } from '../../platform/index.js';
import { blocks, mutes } from '../model/relations.sql.js';

/*
 * Whether somebody may be shown to a viewer as one of many: in a directory, among suggestions, as found. `account` is the
 * alias of a row of `accounts`, `viewer` a placeholder whose value is `''` for anonymous callers.
 */

/** Neither blocks the other, nor does the viewer block the account's server. Index: domain_blocks_pkey. */
export function isFindable(account: string, viewer: string): string {
  const domain = `domain_blocks d where d.account_id = ${viewer} and d.domain = ${account}.domain`;
  const id = `${account}.id`;
  return `not ${blocks(viewer, id)} and not ${blocks(id, viewer)} and not ${someRow(domain)}`;
}

/** Findable, and not muted by the viewer. Index: mutes_pair. */
export function isSuggestible(account: string, viewer: string): string {
  return `${isFindable(account, viewer)} and not ${mutes(viewer, `${account}.id`)}`;
}
