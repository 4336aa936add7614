import {
  cte,
  FIRST_ID,
  fragment,
  type Fragment,
  type Keyset,
  LAST_ID,
  sql,
  type Statement,
  type StatementOptions,
} from '../../platform/index.js';
import { matchesFollowLanguages } from '../../accounts/index.js';
import {
  isDeactivated,
  matchesMedia,
  matchesOrigin,
  PAGE_KEYS,
  type PageRow,
  selectPage,
  StatusFlag,
  matchesVisibility,
  PUBLIC,
} from '../../statuses/index.js';
import { isShownInTimelines, LIMIT, matchesPostFilter, scanOrder } from './status-filters.sql.js';

/*
 * Timelines of chosen accounts, read from the posts themselves. First a scan of the newest posts of all accounts:
 * cheap, and enough when the chosen accounts post often. If it does not fill the page, a lookup for each account: more
 * expensive, but it misses almost nothing. These are two statements, since PostgreSQL prepares to run all of a
 * statement even where it runs a part.
 */

type Direction = Keyset['direction'];
export type PerDirection<Row> = Readonly<Record<Direction, Statement<Row>>>;

export const perDirection = <Row>(
  name: string,
  text: (direction: Direction) => Fragment,
  options?: StatementOptions<Row>,
): PerDirection<Row> => ({
  older: sql<Row>(`timelines.${name}.older`, text('older'), options),
  newer: sql<Row>(`timelines.${name}.newer`, text('newer'), options),
});

/** The accounts of a timeline, in conditions on one of them. */
export interface Chosen {
  /** SQL: whether it is one of them. */
  readonly has: (account: string) => Fragment;
  /** SQL: whether it is one of them whose boosts are wanted. */
  readonly wantsBoostsOf: (account: string) => Fragment;
}

/** The sources of a timeline. */
export interface Sources {
  /** The CTE `followees(id, reblogs)`: the accounts, and whether their boosts are wanted. */
  readonly followees: Fragment;
  /** Further conditions on an entry `s` of the post `post`. */
  readonly matches: string | Fragment;
  /** Whether to include public posts with a followed tag, by any author. */
  readonly tags: boolean;
  /** Whether follows that want some languages only leave out posts, but for those with a followed tag. */
  readonly languages: boolean;
}

/** The conditions of the filter that can be checked before the join. They do not apply to boosts. */
const isWorthALook = `(s.reblog_of_id is not null
    or ${matchesVisibility('s', '$5')} and ${matchesMedia('s', '$7')} and ${matchesOrigin('s', '$8')})`;

/** The conditions of every timeline of chosen accounts on an entry and on its post `post`. */
export const matchesEntryFilter = (
  entry: string,
  reblogged: string,
) => fragment`${isShownInTimelines(`${entry}.author_id`)}
  and (${reblogged} is null or ${isShownInTimelines('post.author_id')} and post.author_id <> $1 and not ${isDeactivated(`${entry}.author_id`)})
  and ${matchesPostFilter(`${entry}.author_id`)}`;

const followedTags = cte('followed_tag_ids', 'select hashtag_id as id from followed_tags where account_id = $1');

/** The post is public and has a tag that the viewer follows. Costs nothing for viewers who follow no tag. */
export const carriesFollowedTag = (status: string) => fragment`(exists (select from ${followedTags})
    and ${PUBLIC.sql(status)} and ${status}.flags & ${StatusFlag.tags} <> 0 and coalesce((
      select true from status_hashtags st where st.status_id = ${status}.id and st.hashtag_id in (select id from ${followedTags}) limit 1), false))`;

/** Number of posts that the scan reads before the lookups take over. */
const SCANNED = 2_000;
/** Number of posts of one account that a page reads: enough unless hardly any of them match. */
const LOOKED_AT = 200;
/** The same for one tag. */
const LOOKED_AT_WITH_TAG = 100;
/** The same for all accounts together; the newest posts count. */
const LOOKED_AT_TOGETHER = 800;

/** An entry for each row `s` of a source. */
const entryOf = (source: string | Fragment) => fragment`s.id as feed_id, s.author_id as entry_author_id, ${PAGE_KEYS}
    from ${source} s join statuses post on post.id = coalesce(s.reblog_of_id, s.id)`;

/** The ids of the posts of an account within the bounds of a page, in its order. */
const postsBetween =
  (direction: Direction) =>
  (account: string, matches: string | Fragment = 'true') => fragment`select s.id from statuses s
      where s.author_id = ${account}.id and s.id < $2 and s.id > $3 and ${matches} order by s.id ${scanOrder(direction)}`;

/** The statements of a timeline. */
export interface Pull {
  readonly scan: PerDirection<PageRow>;
  readonly lookups: PerDirection<PageRow>;
}

/** Declares the statements of the timeline `name`. */
export function pull(name: string, sources: Sources): Pull {
  const statement = (kind: string, rows: typeof scan) =>
    perDirection<PageRow>(`${name}.${kind}`, (direction) =>
      selectPage('$1', rows(direction, sources), 'page.feed_id desc'),
    );
  return { scan: statement('scan', scan), lookups: statement('lookups', lookups) };
}

/** The viewer wants posts in the language of `post` from the account. */
const matchesLanguages = (account: string, { languages }: Sources) =>
  languages ? matchesFollowLanguages(account, 'post') : 'true';

const tagged = (status: string, { tags }: Sources) => (tags ? carriesFollowedTag(status) : fragment`false`);

/** All of the accounts are hashed where one is asked for ("is true" keeps the planner from a nested loop). */
const hashed = ({ followees }: Sources): Chosen => ({
  has: (account) => fragment`(${account} in (select id from ${followees})) is true`,
  wantsBoostsOf: (account) => fragment`(${account} in (select id from ${followees} where reblogs)) is true`,
});

/**
 * Hides a boost when the timeline has the post itself, or an older boost of it by a chosen account that is not hidden.
 */
const isFirst = (sources: Sources, chosen: Chosen) => fragment`(s.reblog_of_id is null
    or (not (${chosen.has('post.author_id')}) or not ${matchesLanguages('post.author_id', sources)})
    and not ${tagged('post', sources)}
    and not coalesce((
      select true from statuses d
      where d.reblog_of_id = s.reblog_of_id and d.id < s.id and ${isShownInTimelines('d.author_id')}
        and ${chosen.wantsBoostsOf('d.author_id')} and ${matchesLanguages('d.author_id', sources)}
      limit 1), false))`;

// Index: statuses_pkey backwards with the accounts hashed.
function scan(direction: Direction, sources: Sources): Fragment {
  const { matches } = sources;
  const chosen = hashed(sources);
  const order = scanOrder(direction);
  const newest = fragment`(select * from statuses where id < $2 and id > $3 order by id ${order} limit ${SCANNED})`;
  return fragment`select ${entryOf(newest)}
    where ${isWorthALook}
      and (${chosen.has('s.author_id')}
          and (s.reblog_of_id is null or ${chosen.wantsBoostsOf('s.author_id')})
          and ${matchesLanguages('s.author_id', sources)}
        or s.reblog_of_id is null and ${tagged('post', sources)})
      and ${matchesEntryFilter('s', 's.reblog_of_id')}
      and ${matches}
      and ${isFirst(sources, chosen)}
    order by s.id ${order} limit ${LIMIT}`;
}

/** Entries for rows of `id` and `reblogs`, posts and whether boosts of their authors are wanted, read until the page is full. */
export function entriesOf(posts: Fragment, direction: Direction, sources: Sources, chosen: Chosen): Fragment {
  return fragment`select ${entryOf(fragment`(
      select s.*, one.id as place, one.reblogs as with_boosts from (${posts}) one
      cross join lateral (select * from statuses where id = one.id offset 0) s)`)}
    where (s.reblog_of_id is null or s.with_boosts) and ${matchesLanguages('s.author_id', sources)} and ${isWorthALook} and ${matchesEntryFilter('s', 's.reblog_of_id')} and ${sources.matches} and ${isFirst(sources, chosen)}
    order by s.place ${scanOrder(direction)} limit ${LIMIT}`;
}

// Finds the newest posts by the index alone, then reads them until the page is full. The accounts of these posts are among
// those that wrote last, and none of them is older than the last post of the last of these accounts: the others' older posts
// are not looked at. Index: statuses_author, once for each account; status_hashtags_tag, once for each tag.
function lookups(direction: Direction, sources: Sources): Fragment {
  const { followees, matches, tags } = sources;
  const order = scanOrder(direction);
  const postsOf = postsBetween(direction);
  const writers = cte(
    'writers',
    fragment`select followees.id, followees.reblogs, last.id as last_id
      from ${followees} cross join lateral (${postsOf('followees')} limit 1) last
      order by last.id ${order} limit ${LOOKED_AT_TOGETHER}`,
  );
  const [isNearer, open] = direction === 'older' ? ['>=', FIRST_ID] : ['<=', LAST_ID];
  const isNear = fragment`s.id ${isNearer} coalesce(
      (select last_id from ${writers} order by last_id ${order} offset ${LOOKED_AT_TOGETHER - 1}), '${open}')`;
  const newest = fragment`select newest.id, writers.reblogs
        from ${writers} cross join lateral (${postsOf('writers', isNear)} limit ${LOOKED_AT}) newest
        order by newest.id ${order} limit ${LOOKED_AT_TOGETHER}`;
  const byPerson = entriesOf(newest, direction, sources, hashed(sources));
  const byTag = fragment`select e.* from ${followedTags} tag cross join lateral (
      select ${entryOf(fragment`(
        select s.* from status_hashtags t join statuses s on s.id = t.status_id
        where t.hashtag_id = tag.id and t.status_id < $2 and t.status_id > $3
        order by t.status_id ${order} limit ${LOOKED_AT_WITH_TAG})`)}
      where ${PUBLIC.sql('s')} and ${isWorthALook} and ${matchesEntryFilter('s', 's.reblog_of_id')} and ${matches}
      order by s.id ${order} limit ${LIMIT}) e`;
  const found = tags ? fragment`(${byPerson}) union all ${byTag}` : byPerson;
  return fragment`select distinct on (e.feed_id) e.* from (${found}) e order by e.feed_id ${order} limit ${LIMIT}`;
}
