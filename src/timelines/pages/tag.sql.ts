import { cte, fragment, type Fragment } from '../../platform/index.js';
import { PAGE_KEYS, type PageRow, selectPage, PUBLIC, subjectsOfPage } from '../../statuses/index.js';
import { isShownInTimelines, LIMIT, matchesPostFilter, scanOrder } from './status-filters.sql.js';
import { perDirection } from './pull.sql.js';

/** Maximum number of posts read for one page. Lower than elsewhere, since each post costs more. */
const TAGGED = 4_000;
/** A tag with no more posts than this is rare. */
const RARE = 1_000;

const tags = (name: string, names: string) => cte(name, `select id from hashtags where name = any(${names}::text[])`);
const wanted = tags('wanted', '$11');
const required = tags('required', '$12');
const unwanted = tags('unwanted', '$13');
const rare = cte(
  'rare',
  fragment`select r.id from ${required} r
      where (select count(*) from (select from status_hashtags x where x.hashtag_id = r.id limit ${RARE} + 1) x) <= ${RARE}
      limit 1`,
);
const source = cte(
  'source',
  fragment`select id from ${rare} union all select id from ${wanted} where not exists (select from ${rare})`,
);

const count = (names: Fragment) => fragment`(select count(*) from status_hashtags x
    where x.status_id = t.status_id and x.hashtag_id = any(array(select id from ${names})))`;
/** The number of the post's tags among $12 equals the length of $12, which has no duplicates. */
const carriesAll = fragment`(cardinality($12::text[]) = 0 or cardinality($12) = ${count(required)})`;
const carriesNone = fragment`(cardinality($13::text[]) = 0 or ${count(unwanted)} = 0)`;
const carriesAny = fragment`(not exists (select from ${rare}) or ${count(wanted)} > 0)`;

// A post must have one of the tags $11, all of the tags $12 and none of the tags $13. Reads the posts of each tag
// separately, since the index orders them by tag; several tags share the maximum. If a required tag is rare, reads all
// of its posts instead. Index: status_hashtags_tag, status_hashtags_pkey.
export const tagPage = perDirection<PageRow>(
  'tag',
  (direction) =>
    selectPage(
      '$1',
      fragment`select distinct on (e.feed_id) e.* from ${source} cross join lateral (
      select post.id as feed_id, post.author_id as entry_author_id, ${PAGE_KEYS} from (
        select t.status_id from (
          select t.status_id from status_hashtags t
          where t.hashtag_id = source.id and t.status_id < $2 and t.status_id > $3
          order by t.status_id ${scanOrder(direction)} limit (select ${TAGGED} / greatest(count(*), 1) from source)) t
        where ${carriesAny} and ${carriesAll} and ${carriesNone}) t
      cross join lateral (select * from statuses s where s.id = t.status_id offset 0) post
      where ${PUBLIC.sql('post')} and ${isShownInTimelines('post.author_id')} and ${matchesPostFilter('post.author_id')}
      order by t.status_id ${scanOrder(direction)} limit ${LIMIT}) e
    order by e.feed_id ${scanOrder(direction)} limit ${LIMIT}`,
      'page.feed_id desc',
    ),
  { replica: subjectsOfPage },
);
