import { someRow } from '../../platform/index.js';
import { CUTOFF, deletedKind } from './row-kind.sql.js';

/** Tables that say that an account has to do with somebody or something here, with the columns that name it. */
const RELATIONS = [
  ['follows', 'follower_id', 'followee_id'],
  ['blocks', 'account_id', 'target_id'],
  ['mutes', 'target_id'],
  ['account_notes', 'target_id'],
  ['list_members', 'account_id'],
  ['statuses', 'author_id', 'group_id'],
  ['cards', 'author_id'],
  ['mentions', 'account_id'],
  ['favourites', 'account_id'],
  ['reactions', 'account_id'],
  ['poll_votes', 'account_id'],
  ['notifications', 'from_id', 'target_id'],
  ['notification_requests', 'from_id'],
  ['chats', 'partner_id'],
  ['chat_messages', 'sender_id', 'recipient_id'],
  ['reports', 'account_id', 'actor_id'],
  ['suggested_accounts', 'account_id'],
  ['relays', 'account_id'],
  ['relay_followers', 'account_id'],
  ['scrobbles', 'account_id'],
] as const;

/** Each is a reason to keep the remote account `r`. Staff decisions are never forgotten: deactivations, suspensions, tags. */
const REASONS = [
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
  someRow('statuses x where x.in_reply_to_account_id = r.id and x.in_reply_to_id is null'),
  // Counted, since PostgreSQL expects to find the first of these rows soon and would read the whole table for it.
  `(select count(*) from conversation_participants x where (x.participants || x.recipients) @> array[r.id collate "default"]) > 0`,
  ...RELATIONS.flatMap(([table, ...columns]) =>
    columns.map((column) => someRow(`${table} x where x.${column} = r.id`)),
  ),
];

/** Old remote accounts without a relation to anybody or anything here. `$2` is the age in days. */
export const OLD_ACCOUNTS = deletedKind({
  name: 'accounts',
  setting: 'retention.remote_account_days',
  tables: ['accounts', 'account_stats'],
  ageOf: (days) => days,
  // Index: accounts_pkey.
  page: (rows) => `select id from accounts where id > $1 order by id limit ${rows}`,
  locked: { table: 'accounts', alias: 'r', id: 'text' },
  // Index: those that begin with the column, conversation_participants_people, or the primary key of a small table.
  mayGo: `r.domain is not null and r.refreshed_at < ${CUTOFF} and r.created_at < ${CUTOFF}
     and not (${REASONS.join('\n       or ')})`,
});
