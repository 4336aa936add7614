import {
  exclusiveMembers,
  isAccepted,
  matchesFollowLanguages,
  mayDeepen,
  wantsLanguageOf,
} from '../../accounts/index.js';
import { cte, fragment, type Keyset, LAST_ID } from '../../platform/index.js';
import { PAGE_KEYS, type PageRow, selectPage } from '../../statuses/index.js';
import { isNearFloor } from '../feeds/feed.repository.js';
import { isShownInTimelines, LIMIT, scanOrder } from './status-filters.sql.js';
import { carriesFollowedTag, matchesEntryFilter, perDirection, pull } from './pull.sql.js';

/** A row of the stored feed, with the feed's edge. There is one without an entry when the page is empty. */
export type FeedPageRow = (PageRow | { readonly feedId: null }) & {
  /** The reader's floor. */
  readonly floor: string;
  /** Whether the feed is to be deepened: the page begins near the floor or below it. */
  readonly deepens: boolean;
};

const members = cte('exclusive_members', exclusiveMembers('$1'));

/** The account is not on an exclusive list of the reader. */
const isAtHome = (account: string) => fragment`${account} not in (select id from ${members})`;

// --- the stored feed, at or above the floor ---

/**
 * The reader still follows the account, wants posts in the language of `post` from it and, for a boost, its boosts: a feed row
 * grants no access.
 */
const stillFollowed = (author: string, reblogged: string) => `(${author} = $1 or coalesce((
    select (z.reblogs or ${reblogged} is null) and ${wantsLanguageOf('z', 'post')} from follows z
    where z.follower_id = $1 and z.followee_id = ${author} and ${isAccepted('z')}), false))`;

/** A boost shows a post again that lies more rows of the feed back than this, as with the reference server. */
export const REMEMBERED = 40;

/** The row `d` is among the last rows before the row `f`. */
const isRecent = `d.status_id >= coalesce((
      select e.status_id from home_feed e where e.account_id = $1 and e.status_id < f.status_id
      order by e.status_id desc offset ${REMEMBERED - 1} limit 1), '')`;

/** Hides a boost when the rows before it have the post itself, or a boost of it by an account that is shown. */
const firstInFeed = fragment`(f.reblog_of_id is null
    or not coalesce((
      select ${isRecent} and (${matchesFollowLanguages('d.author_id', 'post')} or ${carriesFollowedTag('post')})
      from home_feed d where d.account_id = $1 and d.status_id = f.reblog_of_id), false)
    and not coalesce((
      select ${isRecent} from home_feed d
      where d.account_id = $1 and d.reblog_of_id = f.reblog_of_id and d.status_id < f.status_id
        and ${isShownInTimelines('d.author_id')} and ${isAtHome('d.author_id')} and ${stillFollowed('d.author_id', 'd.reblog_of_id')}
      order by d.status_id desc limit 1), false))`;

/** Only pages that a reader scrolled to look how far the floor is. The database's own collation may sort `~` before ids. */
const NEARS = { older: `$2 <> '${LAST_ID}' and ${isNearFloor('$2', 'u.feed_floor')}`, newer: '$3 < u.feed_floor' };

const edge = (direction: Keyset['direction']) =>
  cte(
    'feed_edge',
    `select u.feed_floor as floor, ${mayDeepen('u')} and ${NEARS[direction]} as deepens from users u where u.account_id = $1`,
  );

// Index: home_feed_pkey; the posts by primary key.
const feedEntries = (direction: Keyset['direction']) =>
  selectPage(
    '$1',
    fragment`select f.status_id as feed_id, f.author_id as entry_author_id, ${PAGE_KEYS}
    from home_feed f join statuses post on post.id = coalesce(f.reblog_of_id, f.status_id)
    where f.account_id = $1 and f.status_id < $2 and f.status_id > $3 and f.status_id >= (select floor from ${edge(direction)})
      and (${stillFollowed('f.author_id', 'f.reblog_of_id')} or f.reblog_of_id is null and ${carriesFollowedTag('post')})
      and ${isAtHome('f.author_id')} and ${isAtHome('post.author_id')}
      and ${matchesEntryFilter('f', 'f.reblog_of_id')}
      and ${firstInFeed}
    order by f.status_id ${scanOrder(direction)} limit ${LIMIT}`,
  );

/** The floor comes also with an empty page, which is most polls: it tells that nothing is to be pulled from below. */
export const feedPage = perDirection<FeedPageRow>(
  'home.feed',
  (direction) => fragment`select feed_edge.*, entry.*
    from ${edge(direction)} left join (${feedEntries(direction)}) entry on true order by entry."feedId" desc`,
);

// --- the posts themselves, below the floor ---

export const homePull = pull('home', {
  followees: cte(
    'followees',
    fragment`select followee_id as id, reblogs from follows where follower_id = $1 and ${isAccepted('follows')} and ${isAtHome('followee_id')}
    union all select $1, true`,
  ),
  matches: fragment`${isAtHome('s.author_id')} and ${isAtHome('post.author_id')}`,
  tags: true,
  languages: true,
});
