import { cte, fragment, type Fragment } from '../../platform/index.js';
import { PAGE_KEYS, type PageRow, selectPage, PUBLIC } from '../../statuses/index.js';
import { isShownInTimelines, LIMIT, matchesPostFilter, scanOrder } from './post-filters.js';
import { perDirection } from './pull.sql.js';

/** Posts looked at for one page, each of which is more work than in other timelines. */
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
/** How many of the names $12, which are all different, a post carries has to be their number. */
const carriesAll = fragment`(cardinality($12::text[]) = 0 or cardinality($12) = ${count(required)})`;
const carriesNone = fragment`(cardinality($13::text[]) = 0 or ${count(unwanted)} = 0)`;
const carriesAny = fragment`(not exists (select from ${rare}) or ${count(wanted)} > 0)`;

// $11 are the names of which a post has to carry one, $12 those of which it has to carry each, $13 those it must not carry.
// Each tag is looked at alone, since only then do its posts come in order: of several each has a share of what is examined. If
// one that each has to carry is rare, all of its posts are looked at instead.
// Index: status_hashtags_tag, status_hashtags_pkey.
export const tagPage = perDirection<PageRow>('tag', (direction) =>
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
);
