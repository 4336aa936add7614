import { someRow } from '../../platform/index.js';
import { FOLLOW_ACCEPTED, FOLLOW_PENDING } from './relationship.entities.js';

/**
 * The only SQL definitions of a follow, a block and a mute. `row` is a table's name or alias; accounts are expressions.
 * Look-ups for each row are scalar sub-selects: `exists` would become a hash of all rows of the viewer.
 */

/** A block, a mute or a thread mute counts until it expires. */
export function isUnexpired(row: string): string {
  return `(${row}.expires_at is null or ${row}.expires_at > now())`;
}

/** A follow that the followee accepted. */
export function isAccepted(row: string): string {
  return `${row}.state = ${FOLLOW_ACCEPTED}`;
}

/** A follow that waits for the followee's consent. */
export function isPending(row: string): string {
  return `${row}.state = ${FOLLOW_PENDING}`;
}

/** Whether the viewer follows an account and the follow is accepted. Index: follows_pair. */
export function isFollowed(account: string, viewer = '$1'): string {
  return `coalesce((select true from follows z where z.follower_id = ${viewer} and z.followee_id = ${account} and ${isAccepted('z')}), false)`;
}

/** Whether an account blocks another. Index: blocks_pair. */
export function blocks(account: string, target: string): string {
  return someRow(`blocks b where b.account_id = ${account} and b.target_id = ${target} and ${isUnexpired('b')}`);
}

/** Whether an account mutes another. Index: mutes_pair. */
export function mutes(account: string, target: string): string {
  return someRow(`mutes m where m.account_id = ${account} and m.target_id = ${target} and ${isUnexpired('m')}`);
}
