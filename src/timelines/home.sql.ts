import { type Keyset, sql, type Statement } from '../platform/index.js';
import {
  gates,
  hiddenAccounts,
  isDeactivated,
  isShown,
  PAGE_KEYS,
  type PageRow,
  selectPage,
} from '../statuses/index.js';
import { LIMIT, postSuits, scanOrder } from './filters.js';

/** A row of the stored feed; it brings the reader's floor along. */
export type FeedPageRow = PageRow & { readonly floor: string };

type Direction = Keyset['direction'];
type PerDirection<Row> = Readonly<Record<Direction, Statement<Row>>>;

const perDirection = <Row>(name: string, text: (direction: Direction) => string): PerDirection<Row> => ({
  older: sql<Row>(`timelines.home.${name}.older`, text('older')),
  newer: sql<Row>(`timelines.home.${name}.newer`, text('newer')),
});

const READER = `${hiddenAccounts('$1', '$4')}, ${gates('$1')},
  floor as materialized (select feed_floor as floor from users where account_id = $1)`;

const entrySuits = (entry: string, boosted: string) => `${isShown(`${entry}.author_id`)}
  and (${boosted} is null or ${isShown('o.author_id')} and o.author_id <> $1 and not ${isDeactivated(`${entry}.author_id`)})
  and ${postSuits(`${entry}.author_id`)}`;

// --- the stored feed, at or above the floor ---

/** A row of the feed is not a permission: the reader still follows, and still wants boosts if it is one. */
const stillFollowed = (author: string, boosted: string) => `(${author} = $1 or coalesce((
    select z.reblogs or ${boosted} is null from follows z
    where z.follower_id = $1 and z.followee_id = ${author} and z.state = 1), false))`;

/** A boost is hidden when the feed holds the post itself, or an older boost of it by somebody who is shown. */
const firstInFeed = `(f.reblog_of_id is null
    or not coalesce((select true from home_feed d where d.account_id = $1 and d.status_id = f.reblog_of_id), false)
    and not coalesce((
      select true from home_feed d
      where d.account_id = $1 and d.reblog_of_id = f.reblog_of_id and d.status_id < f.status_id
        and ${isShown('d.author_id')} and ${stillFollowed('d.author_id', 'd.reblog_of_id')}
      limit 1), false))`;

// Index: home_feed_pkey; the posts by primary key.
export const feedPage = perDirection<FeedPageRow>(
  'feed',
  (direction) => `with ${READER},
  p as materialized (
    select f.status_id as feed_id, f.author_id as w_author_id, (select floor from floor) as floor, ${PAGE_KEYS}
    from home_feed f join statuses o on o.id = coalesce(f.reblog_of_id, f.status_id)
    where f.account_id = $1 and f.status_id < $2 and f.status_id > $3 and f.status_id >= (select floor from floor)
      and ${stillFollowed('f.author_id', 'f.reblog_of_id')}
      and ${entrySuits('f', 'f.reblog_of_id')}
      and ${firstInFeed}
    order by f.status_id ${scanOrder(direction)} limit ${LIMIT})
  ${selectPage('$1', 'floor')} order by p.feed_id desc`,
);

// --- the posts themselves, below the floor ---

/** Posts looked at by the scan before it gives up and each followee is asked for. */
const SCANNED = 2_000;

const FOLLOWEES = `fo as materialized (
    select followee_id as id, reblogs from follows where follower_id = $1 and state = 1
    union all select $1, true)`;

const below = `least($2, (select floor from floor))`;

/** A boost is hidden when the post's author is followed, or an older boost of it by a followee who is shown stands below. */
const firstBelow = `(s.reblog_of_id is null
    or (o.author_id in (select id from fo)) is not true
    and not coalesce((
      select true from statuses d
      where d.reblog_of_id = s.reblog_of_id and d.id < s.id and ${isShown('d.author_id')}
        and (d.author_id in (select id from fo where reblogs)) is true
      limit 1), false))`;

/** An entry for each row `s` of a source. */
const entryOf = (source: string) => `s.id as feed_id, s.author_id as w_author_id, ${PAGE_KEYS}
    from ${source} s join statuses o on o.id = coalesce(s.reblog_of_id, s.id)`;

/** Where the scan ends: after so many posts, or at the open end of the page. */
const scanEnd = {
  older: `greatest($3, coalesce((
      select id from statuses where id < ${below} and id > $3 order by id desc offset ${SCANNED} limit 1), ''))`,
  newer: `coalesce((
      select id from statuses where id < ${below} and id > $3 order by id offset ${SCANNED} limit 1), ${below})`,
};
const scanned = {
  older: `s.id < ${below} and s.id > (select id from scan_end)`,
  newer: `s.id > $3 and s.id < (select id from scan_end)`,
};

// Index: statuses_pkey backwards with the followees hashed ("is true" keeps the planner from a nested loop).
export const scanPage = perDirection<PageRow>(
  'scan',
  (direction) => `with ${READER}, ${FOLLOWEES}, scan_end as materialized (select ${scanEnd[direction]} as id),
  p as materialized (
    select ${entryOf('statuses')}
    where ${scanned[direction]}
      and (s.author_id in (select id from fo)) is true
      and (s.reblog_of_id is null or (s.author_id in (select id from fo where reblogs)) is true)
      and ${entrySuits('s', 's.reblog_of_id')}
      and ${firstBelow}
    order by s.id ${scanOrder(direction)} limit ${LIMIT})
  ${selectPage('$1')} order by p.feed_id desc`,
);

/** Posts of one followee that are looked at for a page: enough unless next to none of them suits. */
const LOOKED_AT = 200;

// Index: statuses_author, once for each followee.
export const lateralPage = perDirection<PageRow>(
  'lateral',
  (direction) => `with ${READER}, ${FOLLOWEES},
  p as materialized (
    select e.* from fo cross join lateral (
      select ${entryOf(`(
        select * from statuses s where s.author_id = fo.id and s.id < ${below} and s.id > $3
        order by s.id ${scanOrder(direction)} limit ${LOOKED_AT})`)}
      where (s.reblog_of_id is null or fo.reblogs)
        and ${entrySuits('s', 's.reblog_of_id')}
        and ${firstBelow}
      order by s.id ${scanOrder(direction)} limit ${LIMIT}) e
    order by e.feed_id ${scanOrder(direction)} limit ${LIMIT})
  ${selectPage('$1')} order by p.feed_id desc`,
);
