import { Injectable } from '@nestjs/common';
import { Database, sql } from '../platform/index.js';
import { maySee } from '../statuses/index.js';

/** Number of ranked tags with the prefix. */
const RANKED = 200;
/** Number of newest posts of a tag that are checked for public visibility. */
const ASKED = 100;

export interface FoundTag {
  readonly id: string;
  readonly name: string;
}

/** A tag with the post that lets it be shown, and the author of that post. */
interface SeenTag extends FoundTag {
  readonly statusId: string;
  readonly authorId: string;
}

// $1 the beginning of a normalised name, $2 limit, $3 offset. Leaves out tags without a post that
// everybody may read, whoever asks. An exact match comes first, then the tags that most people used in the last week.
// Indexes: hashtags_names, status_hashtags_tag, hashtag_days_pkey.
const search = sql<SeenTag>(
  'search.tags',
  `with near as materialized (
     select id, name from hashtags
     where name collate "C" >= $1 and name collate "C" < $1 || chr(1114111)
     order by name collate "C" limit ${RANKED})
   select n.id, n.name, seen.id as "statusId", seen.author_id as "authorId" from near n cross join lateral (
     select s.id, s.author_id from (
       select t.status_id from status_hashtags t where t.hashtag_id = n.id order by t.status_id desc limit ${ASKED}) t
     join statuses s on s.id = t.status_id where ${maySee('s', `''`)} limit 1) seen
   order by n.name = $1 desc, (
     select coalesce(sum(d.accounts), 0) from hashtag_days d where d.hashtag_id = n.id and d.day > current_date - 7) desc,
     n.name collate "C"
   limit $2 offset $3`,
  { replica: (_values, rows) => rows.flatMap(({ statusId, authorId }) => [statusId, authorId]) },
);

/** Finds hashtags by the beginnings of their names. */
@Injectable()
export class TagSearchRepository {
  constructor(private readonly db: Database) {}

  search(beginning: string, limit: number, offset: number): Promise<FoundTag[]> {
    return this.db.rows(search, [beginning, limit, offset]);
  }
}
