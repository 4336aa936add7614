import { someRow } from '../../platform/index.js';
import { FOLLOW_ACCEPTED, FOLLOW_PENDING } from './relationship.entities.js';
import { serverNames } from './server-names.js';

/**
 * The only SQL definitions of a follow, a block and a mute. `row` is a table's name or alias; accounts are expressions.
 * Look-ups for each row are scalar sub-selects: `exists` would become a hash of all rows of the viewer.
 */

/** A block, a mute or a thread mute counts until it expires. */
export function isUnexpired(row: string): string {
  return `(${row}.expires_at is null or ${row}.expires_at > now())`;
}

/** The end has passed. Null, so like false, for a row without an end. */
export function isExpired(row: string): string {
  return `${row}.expires_at <= now()`;
}

/** A follow that the followee accepted. */
export function isAccepted(row: string): string {
  return `${row}.state = ${FOLLOW_ACCEPTED}`;
}

/** An accepted follow by an account of another server. Index: follows_remote_followers. */
export function isAcceptedRemote(row: string): string {
  return `${isAccepted(row)} and ${row}.remote_follower`;
}

/** An accepted follow by an account of this server. */
export function isAcceptedLocal(row: string): string {
  return `${isAccepted(row)} and not ${row}.remote_follower`;
}

/** Accepts a follow, in an update. */
export const ACCEPTED = `state = ${FOLLOW_ACCEPTED}`;

/** A follow that waits for the followee's consent. */
export function isPending(row: string): string {
  return `${row}.state = ${FOLLOW_PENDING}`;
}

/** Number of newest follows that are read where an account may have many times more. */
export const NEWEST_FOLLOWS = 2_000;

/**
 * Selects the `id` of accounts that an account follows, the newest follows first. PostgreSQL reads the index in its order when
 * it cannot know the limit, such as that of a parameter. Index: follows_following.
 */
export function newestFollowees(follower: string, limit: string): string {
  return `select f.followee_id as id from follows f where f.follower_id = ${follower} and ${isAccepted('f')} order by f.id desc
     limit ${limit}`;
}

/** Whether the viewer follows an account and the follow is accepted. Index: follows_pair. */
export function isFollowed(account: string, viewer = '$1'): string {
  return `coalesce((select true from follows z where z.follower_id = ${viewer} and z.followee_id = ${account} and ${isAccepted('z')}), false)`;
}

/**
 * Whether a row of `follows` wants posts in the language of a status: also in a form of a language that it names, such as
 * `pt-BR` for `pt`. Language tags have no case (BCP 47). A status without a language matches every follow.
 */
export function wantsLanguageOf(follow: string, status: string): string {
  const isOfTag = `starts_with(lower(${status}.language) || '-', lower(tag) || '-')`;
  return `(${follow}.languages is null or ${status}.language is null
    or exists (select from unnest(${follow}.languages) as tag where ${isOfTag}))`;
}

/** Whether the viewer's follow of an account, if there is one, wants posts in the language of a status. Index: follows_pair. */
export function matchesFollowLanguages(account: string, status: string, viewer = '$1'): string {
  return `coalesce((select ${wantsLanguageOf('z', status)} from follows z where z.follower_id = ${viewer} and z.followee_id = ${account}), true)`;
}

/**
 * Whether an account is deleted, for statements that remove what a deleted one left: jobs of a deletion may run late, when the
 * account has returned. Index: accounts_pkey.
 */
export function isDeleted(account: string): string {
  return someRow(`accounts d where d.id = ${account} and d.deleted_at is not null`);
}

/** Whether an account blocks another. Index: blocks_pair. */
export function blocks(account: string, target: string): string {
  return someRow(`blocks b where b.account_id = ${account} and b.target_id = ${target} and ${isUnexpired('b')}`);
}

/** Whether one of two accounts blocks the other. */
export function eitherBlocks(one: string, other: string): string {
  return `(${blocks(one, other)} or ${blocks(other, one)})`;
}

/** Whether an account mutes another. Index: mutes_pair. */
export function mutes(account: string, target: string): string {
  return someRow(muted(account, target));
}

/** Whether an account mutes another's notifications too. Index: mutes_pair. */
export function mutesNotifications(account: string, target: string): string {
  return someRow(`${muted(account, target)} and m.notifications`);
}

const muted = (account: string, target: string) =>
  `mutes m where m.account_id = ${account} and m.target_id = ${target} and ${isUnexpired('m')}`;

/** Whether an account mutes a conversation. Index: thread_mutes_pkey. */
export function mutesThread(account: string, conversation: string): string {
  const thread = `t.account_id = ${account} and t.conversation_id = ${conversation}`;
  return someRow(`thread_mutes t where ${thread} and ${isUnexpired('t')}`);
}

/** Whether an account blocks the server of another, which is a row of `accounts`. Index: domain_blocks_pkey. */
export function blocksServerOf(account: string, target: string): string {
  return someRow(`domain_blocks d where d.account_id = ${account} and d.domain = any(${serverNames(target)})`);
}

/** Whether an account blocks the server of another, which is a row of `accounts`, and does not follow the other. */
export function hidesServerOf(account: string, target: string): string {
  return `(${blocksServerOf(account, target)} and not ${isFollowed(`${target}.id`, account)})`;
}

/**
 * Selects a viewer and an account hidden from the viewer. `table` is `blocks` or `mutes` with its alias; `viewer` and
 * `hidden` are its columns. The text ends with a condition, to which another is added.
 */
type PairSelect = (table: string, viewer: string, hidden: string) => string;

/** The unexpired blocks of the viewer. */
export function ownBlockPairs(select: PairSelect): string {
  return `${select('blocks b', 'b.account_id', 'b.target_id')} and ${isUnexpired('b')}`;
}

/** The unexpired blocks, in both directions: each of the two accounts is hidden from the other. */
export function blockPairs(select: PairSelect): string {
  return `${ownBlockPairs(select)} union all ${ownBlockPairs((table, viewer, hidden) => select(table, hidden, viewer))}`;
}

/** The unexpired mutes. */
export function mutePairs(select: PairSelect): string {
  return `${select('mutes m', 'm.account_id', 'm.target_id')} and ${isUnexpired('m')}`;
}

/**
 * Selects pairs of an account `id` of `accounts` and a `viewer_id` that blocks it, is blocked by it, or mutes it. `offset 0`
 * makes PostgreSQL look up each account: it would rather read all blocks of the server. Index: blocks_target, blocks_pair,
 * mutes_target.
 */
export function viewersHiding(accounts: string): string {
  const viewers: PairSelect = (table, viewer, hidden) =>
    `select ${viewer} as viewer_id from ${table} where ${hidden} = shown.id`;
  return `select shown.id, hiding.viewer_id from ${accounts} shown
    cross join lateral (${blockPairs(viewers)} union all ${mutePairs(viewers)} offset 0) hiding`;
}

/**
 * Selects pairs of an account `id` of `accounts` and a `viewer_id` that blocks its server and does not follow it. Index:
 * domain_blocks_domain.
 */
export function viewersBlockingServers(accounts: string): string {
  return `select a.id, b.account_id as viewer_id
    from ${accounts} shown join accounts a on a.id = shown.id and a.domain is not null
      cross join unnest(${serverNames('a')}) name join domain_blocks b on b.domain = name
    where not ${isFollowed('a.id', 'b.account_id')}`;
}
