import { isAnswered } from '../../notifications/index.js';
import { CUTOFF, deletedKind } from './row-kind.sql.js';

/** Notifications that were read and are old. `$2` is the age in days. */
export const OLD_NOTIFICATIONS = deletedKind({
  name: 'notifications',
  setting: 'retention.read_notification_days',
  tables: ['notifications'],
  ageOf: (days) => days,
  // Ids rise with time, so the walk ends at the first page with a young one. Index: notifications_pkey.
  page: (rows) =>
    `select id from (select id, created_at from notifications
       where id > coalesce(nullif($1::text, ''), '0')::bigint order by id limit ${rows}) oldest
     where created_at < ${CUTOFF}`,
  locked: { table: 'notifications', alias: 'n', id: 'bigint' },
  mayGo: `n.seen and n.created_at < ${CUTOFF} and ${isAnswered('n')}`,
});
