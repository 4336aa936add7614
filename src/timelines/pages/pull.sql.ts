import { type Keyset, sql, type Statement } from '../../platform/index.js';
import {
  isDeactivated,
  isNotHidden,
  matchesMedia,
  matchesOrigin,
  PAGE_KEYS,
  type PageRow,
  selectPage,
  StatusFlag,
  matchesVisibility,
  PUBLIC,
} from '../../statuses/index.js';
import { LIMIT, matchesPostFilter, scanOrder } from './post-filters.js';

/*
 * Timelines of chosen people, read from the posts themselves: first a look at the newest posts of all, which is cheap and
 * enough where the people write much, then one at each of the people, which is dearer and misses next to nothing.
 */

type Direction = Keyset['direction'];
export type PerDirection<Row> = Readonly<Record<Direction, Statement<Row>>>;

export const perDirection = <Row>(name: string, text: (direction: Direction) => string): PerDirection<Row> => ({
  older: sql<Row>(`timelines.${name}.older`, text('older')),
  newer: sql<Row>(`timelines.${name}.newer`, text('newer')),
});

/** What a timeline is pulled from. */
export interface Sources {
  /** CTEs: those of a reader, `fo(id, reblogs)`, the people, whose boosts may be unwanted, and `ft(id)` for tags. */
  readonly with: string;
  /** Ids are below this one. */
  readonly below: string;
  /** Further conditions on an entry `s` of the post `o`. */
  readonly suits: string;
  /** Whether public posts with a tag of `ft` belong to it, whoever wrote them. */
  readonly tags: boolean;
}

/** What the filter asks of an entry that is a post itself, asked before anything is joined. */
const isWorthALook = `(s.reblog_of_id is not null
    or ${matchesVisibility('s', '$5')} and ${matchesMedia('s', '$7')} and ${matchesOrigin('s', '$8')})`;

/** What every timeline of chosen people asks of an entry and of the post `o` in it. */
export const matchesEntryFilter = (entry: string, boosted: string) => `${isNotHidden(`${entry}.author_id`)}
  and (${boosted} is null or ${isNotHidden('o.author_id')} and o.author_id <> $1 and not ${isDeactivated(`${entry}.author_id`)})
  and ${matchesPostFilter(`${entry}.author_id`)}`;

/** The CTE `ft`: tags that the reader follows. */
export const FOLLOWED_TAGS = 'ft as materialized (select hashtag_id as id from followed_tags where account_id = $1)';

/** A public post carries a tag of `ft`: nothing is asked for readers without any. */
export const carriesFollowedTag = (status: string) => `(exists (select from ft)
    and ${PUBLIC.sql(status)} and ${status}.flags & ${StatusFlag.tags} <> 0 and coalesce((
      select true from status_hashtags st where st.status_id = ${status}.id and st.hashtag_id in (select id from ft) limit 1), false))`;

/** Posts looked at by the scan before it gives up and each of the people is asked for. */
const SCANNED = 2_000;
/** Posts of one of the people that are looked at for a page: enough unless next to none of them suits. */
const LOOKED_AT = 200;
/** Posts with one tag. */
const LOOKED_AT_WITH_TAG = 100;
/** Of them all together, the newest. */
const LOOKED_AT_TOGETHER = 800;

/** An entry for each row `s` of a source. */
const entryOf = (source: string) => `s.id as feed_id, s.author_id as w_author_id, ${PAGE_KEYS}
    from ${source} s join statuses o on o.id = coalesce(s.reblog_of_id, s.id)`;

/**
 * The statement of a timeline: the newest posts of all are looked at, and each of the people is asked only when that did not
 * fill the page.
 */
export function pull(name: string, sources: Sources): PerDirection<PageRow> {
  return perDirection(name, (direction) => {
    const order = scanOrder(direction);
    return `with ${sources.with}, scan_end as materialized (select ${scanEnd(sources.below)[direction]} as id),
  near as materialized (${scan(direction, sources)}),
  p as materialized (
    select distinct on (e.feed_id) e.* from (
      select * from near
      union all
      select * from (${asked(direction, sources)}) a where (select count(*) from near) < ${LIMIT}) e
    order by e.feed_id ${order} limit ${LIMIT})
  ${selectPage('$1')} order by p.feed_id desc`;
  });
}

const tagged = (status: string, { tags }: Sources) => (tags ? carriesFollowedTag(status) : 'false');

/** A boost is hidden when the post itself belongs here, or an older boost of it by one of the people who is shown. */
const isFirst = (sources: Sources) => `(s.reblog_of_id is null
    or (o.author_id in (select id from fo)) is not true
    and not ${tagged('o', sources)}
    and not coalesce((
      select true from statuses d
      where d.reblog_of_id = s.reblog_of_id and d.id < s.id and ${isNotHidden('d.author_id')}
        and (d.author_id in (select id from fo where reblogs)) is true
      limit 1), false))`;

/** Where the scan ends: after so many posts, or at the open end of the page. */
const scanEnd = (below: string) => ({
  older: `greatest($3, coalesce((
      select id from statuses where id < ${below} and id > $3 order by id desc offset ${SCANNED} limit 1), ''))`,
  newer: `coalesce((
      select id from statuses where id < ${below} and id > $3 order by id offset ${SCANNED} limit 1), ${below})`,
});
const scanned = (below: string) => ({
  older: `s.id < ${below} and s.id > (select id from scan_end)`,
  newer: `s.id > $3 and s.id < (select id from scan_end)`,
});

// Index: statuses_pkey backwards with the people hashed ("is true" keeps the planner from a nested loop).
function scan(direction: Direction, sources: Sources): string {
  return `select ${entryOf('statuses')}
    where ${scanned(sources.below)[direction]} and ${isWorthALook}
      and ((s.author_id in (select id from fo)) is true
          and (s.reblog_of_id is null or (s.author_id in (select id from fo where reblogs)) is true)
        or s.reblog_of_id is null and ${tagged('o', sources)})
      and ${matchesEntryFilter('s', 's.reblog_of_id')}
      and ${sources.suits}
      and ${isFirst(sources)}
    order by s.id ${scanOrder(direction)} limit ${LIMIT}`;
}

// Which posts are the newest is seen in the index alone; only then are they read, until there are enough for the page.
// Index: statuses_author, once for each of the people; status_hashtags_tag, once for each tag.
function asked(direction: Direction, sources: Sources): string {
  const { below, suits, tags } = sources;
  const order = scanOrder(direction);
  const byPerson = `select ${entryOf(`(
      select s.*, one.id as place, one.reblogs as with_boosts from (
        select newest.id, fo.reblogs from fo cross join lateral (
          select s.id from statuses s where s.author_id = fo.id and s.id < ${below} and s.id > $3
          order by s.id ${order} limit ${LOOKED_AT}) newest
        order by newest.id ${order} limit ${LOOKED_AT_TOGETHER}) one
      cross join lateral (select * from statuses where id = one.id offset 0) s)`)}
    where (s.reblog_of_id is null or s.with_boosts) and ${isWorthALook} and ${matchesEntryFilter('s', 's.reblog_of_id')} and ${suits} and ${isFirst(sources)}
    order by s.place ${order} limit ${LIMIT}`;
  const byTag = `select e.* from ft cross join lateral (
      select ${entryOf(`(
        select s.* from status_hashtags t join statuses s on s.id = t.status_id
        where t.hashtag_id = ft.id and t.status_id < ${below} and t.status_id > $3
        order by t.status_id ${order} limit ${LOOKED_AT_WITH_TAG})`)}
      where ${PUBLIC.sql('s')} and ${isWorthALook} and ${matchesEntryFilter('s', 's.reblog_of_id')} and ${suits}
      order by s.id ${order} limit ${LIMIT}) e`;
  return tags ? `(${byPerson}) union all ${byTag}` : byPerson;
}
