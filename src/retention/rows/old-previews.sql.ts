import { someRow, sql } from '../../platform/index.js';
import { StatusFlag } from '../../statuses/index.js';
import { cutoffId } from '../model/retention-kind.js';
import { rowKind } from './row-kind.sql.js';

/**
 * The link previews of old remote posts, by the ids of the posts; those of bookmarked posts stay. A page whose preview no
 * post shows is removed a day later (`statuses`). `$2` is the first id that is too young.
 */
export const OLD_PREVIEWS = rowKind({
  name: 'previews',
  setting: 'retention.link_preview_days',
  tables: ['status_cards', 'cards'],
  ageOf: cutoffId,
  // Index: status_cards_pkey.
  page: (rows) =>
    `select status_id as id from status_cards where status_id > $1 and status_id < $2 order by status_id limit ${rows}`,
  // Posts are locked before their previews, in the order of their ids, as all other code does.
  locked: { table: 'statuses', alias: 's', id: 'text' },
  // Index: bookmarks_status.
  mayGo: `not s.local and s.id < $2 and not ${someRow('bookmarks b where b.status_id = s.id')}`,
});

export const removePreviews = sql(
  'retention.remove_previews',
  `with plain as (
     update statuses set version = version + 1, flags = flags & ~${StatusFlag.card}::int where id = any($1::text[]))
   delete from status_cards where status_id = any($1::text[])`,
);
