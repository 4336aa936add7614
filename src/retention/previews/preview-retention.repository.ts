import { Injectable } from '@nestjs/common';
import { Database, someRow, sql } from '../../platform/index.js';
import { StatusFlag } from '../../statuses/index.js';
import { PREVIEW_ROWS, SLICE_ROWS } from '../model/retention-kind.js';

/**
 * Whether the post `s` may lose its link preview: the one definition, for the preview of a removal and the removal. Posts of
 * this server and bookmarked posts keep theirs. Index: bookmarks_status.
 */
const MAY_GO = `not s.local and not ${someRow('bookmarks b where b.status_id = s.id')}`;

/** The next posts after an id that show a link preview and are older than the cutoff `$2`. Index: status_cards_pkey. */
const page = (rows: number) =>
  `page as materialized (
     select status_id as id from status_cards where status_id > $1 and status_id < $2 order by status_id limit ${rows})`;

interface CountRow {
  readonly count: number;
  readonly last: string | null;
}

const count = sql<CountRow>(
  'retention.count_previews',
  `with ${page(PREVIEW_ROWS)}, going as (select from page join statuses s on s.id = page.id where ${MAY_GO})
   select (select count(*) from going)::int as count, case when count(*) = ${PREVIEW_ROWS} then max(id) end as last from page`,
);

// Locks posts before their previews, in the order of their ids, as all other code does.
const remove = sql<CountRow>(
  'retention.remove_previews',
  `with ${page(SLICE_ROWS)},
   going as materialized (
     select s.id from statuses s where s.id = any(array(select id from page)) and ${MAY_GO}
     order by s.id for no key update skip locked),
   plain as (
     update statuses s set version = s.version + 1, flags = s.flags & ~${StatusFlag.card}::int
     from going where s.id = going.id),
   gone as (delete from status_cards k using going where k.status_id = going.id returning 1)
   select (select count(*) from gone)::int as count, case when count(*) = ${SLICE_ROWS} then max(id) end as last from page`,
);

/** Finds and removes the link previews of old remote posts. `cutoff` is the first id that is too young. */
@Injectable()
export class PreviewRetentionRepository {
  constructor(private readonly db: Database) {}

  /** Counts those that may go among the next ones after the id of a post. */
  count(after: string, cutoff: string): Promise<{ count: number; last: string | undefined }> {
    return this.run(count, after, cutoff);
  }

  /** Removes those that may go among the next ones after the id of a post; returns their number. */
  removeNext(after: string, cutoff: string): Promise<{ count: number; last: string | undefined }> {
    return this.run(remove, after, cutoff);
  }

  private async run(statement: typeof count, after: string, cutoff: string) {
    const row = await this.db.first(statement, [after, cutoff]);
    return { count: row?.count ?? 0, last: row?.last ?? undefined };
  }
}
