import { someRow } from '../../platform/index.js';

/** Tables that say that an account has to do with somebody or something here, with the columns that name it. */
const RELATIONS = [
  ['follows', 'follower_id', 'followee_id'],
  ['blocks', 'account_id', 'target_id'],
  ['mutes', 'account_id', 'target_id'],
  ['account_notes', 'target_id'],
  ['list_members', 'account_id'],
  ['statuses', 'author_id'],
  ['mentions', 'account_id'],
  ['favourites', 'account_id'],
  ['reactions', 'account_id'],
  ['poll_votes', 'account_id'],
  ['notifications', 'from_id', 'target_id'],
  ['notification_requests', 'from_id'],
  ['chats', 'partner_id'],
  ['chat_messages', 'sender_id', 'recipient_id'],
  ['reports', 'account_id', 'actor_id', 'assigned_id'],
  ['suggested_accounts', 'account_id'],
  ['relays', 'account_id'],
  ['relay_followers', 'account_id'],
  ['scrobbles', 'account_id'],
] as const;

/**
 * Whether the remote account `r` may go: the one definition, for the preview and the removal. `days` is the placeholder
 * of the age. Staff decisions are never forgotten: deactivations, suspensions, tags. Index: those that begin with the
 * column, or the primary key of a small table.
 */
export function mayGo(days: string): string {
  const relations = RELATIONS.flatMap(([table, ...columns]) =>
    columns.map((column) => someRow(`${table} x where x.${column} = r.id`)),
  );
  const reasons = [
    'r.deactivated_at is not null',
    'r.deleted_at is not null',
    'r.suspended_by_server',
    `r.tags <> '{}'`,
    'r.memorial',
    'r.moved_to_id is not null',
    `r.also_known_as <> '{}'`,
    someRow('accounts x where x.moved_to_id = r.id'),
    // Few rows, read once for the statement: accounts here that name others as theirs, and announcements.
    `coalesce(r.ap_id = any(array(select unnest(x.also_known_as) from accounts x where x.deleted_at is null and x.domain is null)), false)`,
    `coalesce(r.id = any(array(select unnest(x.mention_ids) from announcements x)), false)`,
    `coalesce(r.id = any(array(select x.actor_id from inbox_queue x)), false)`,
    ...relations,
  ];
  const cutoff = `now() - ${days} * interval '1 day'`;
  return `r.domain is not null and r.refreshed_at < ${cutoff} and r.created_at < ${cutoff}
     and not (${reasons.join('\n       or ')})`;
}
