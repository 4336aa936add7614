import { subjectsOfViewer } from '../../accounts/index.js';
import { cte, fragment, sql } from '../../platform/index.js';
import {
  hiddenAccounts,
  isCountedReblog,
  isOutsideBlockedDomains,
  isNotHidden,
  maySee,
  PAGE_KEYS,
  type PageRow,
  selectPage,
  subjectsOfPage,
  PUBLIC,
} from '../../statuses/index.js';
import { isDiscoverable, isShownInTimelines, LIMIT, matchesPostFilter } from '../pages/status-filters.sql.js';
import { HISTORY_DAYS, type TagRow } from '../tags/tag.repository.js';

/** A tag with the post that lets it be shown, and the author of that post. */
interface SeenTagRow extends TagRow {
  readonly statusId: string;
  readonly authorId: string;
}

/** Number of tags that are ranked: the most used of each day and of the week. */
const RANKED_TAGS = 100;
/** Number of newest posts with a tag that are searched for one that the viewer may see. */
const ASKED_POSTS = 20;
/** Number of newest favourites, and of newest posts (boosts or not), that are read. */
const COUNTED = 4_000;
/** Number of posts with the most favourites and boosts that are checked. */
const RANKED_POSTS = 400;

const ranked = cte(
  'ranked',
  `select d.hashtag_id, sum(d.accounts) as accounts, sum(d.uses) as uses
     from generate_series(0, ${HISTORY_DAYS - 1}) ago cross join lateral (
       select hashtag_id, accounts, uses from hashtag_days where day = current_date - ago
       order by accounts desc limit ${RANKED_TAGS}) d
     group by d.hashtag_id order by accounts desc, uses desc, d.hashtag_id desc limit ${RANKED_TAGS}`,
);

// $1 viewer, $2 limit, $3 offset. Lists only tags that a discoverable author used in a public post that the viewer may
// see. Indexes: hashtag_days_top, status_hashtags_tag.
export const trendingTags = sql<SeenTagRow>(
  'trends.tags',
  fragment`select h.id, h.name, seen.id as "statusId", seen.author_id as "authorId"
   from ${ranked} r join hashtags h on h.id = r.hashtag_id cross join lateral (
     select post.id, post.author_id from (
       select t.status_id from status_hashtags t where t.hashtag_id = r.hashtag_id order by t.status_id desc limit ${ASKED_POSTS}) t
     cross join lateral (select * from statuses where id = t.status_id offset 0) post
     where ${PUBLIC.sql('post')} and ${isDiscoverable('post.author_id')} and ${isNotHidden('post.author_id', hiddenAccounts('$1', 'false'))}
       and ${maySee('post')} and ${isOutsideBlockedDomains(['post.author_id'], '$1')} limit 1) seen
   order by r.accounts desc, r.uses desc, r.hashtag_id desc limit $2 offset $3`,
  {
    replica: ([viewerId], rows) => [
      ...subjectsOfViewer(viewerId),
      ...rows.flatMap(({ statusId, authorId }) => [statusId, authorId]),
    ],
  },
);

const counted = cte(
  'counted',
  `select status_id, count(*) as score from (
       select status_id from (select status_id, counted from favourites order by id desc limit ${COUNTED}) f where counted
       union all
       select reblog_of_id from (select reblog_of_id, flags from statuses order by id desc limit ${COUNTED}) b
       where reblog_of_id is not null and ${isCountedReblog('b')}) e
     where status_id > $3 and status_id < $2
     group by status_id order by score desc, status_id desc limit ${RANKED_POSTS}`,
);

// Takes the parameters of timelines, and $11 offset. Public posts above $3 by discoverable authors, ordered by their
// number of recent favourites and boosts. Indexes: favourites_pkey and statuses_pkey backwards, statuses_pkey for each.
export const trendingStatuses = sql<PageRow>(
  'trends.statuses',
  selectPage(
    '$1',
    fragment`select post.id as feed_id, post.author_id as entry_author_id, c.score, ${PAGE_KEYS}
     from ${counted} c cross join lateral (select * from statuses where id = c.status_id offset 0) post
     where ${PUBLIC.sql('post')} and ${isDiscoverable('post.author_id')} and ${isShownInTimelines('post.author_id')}
       and ${matchesPostFilter('post.author_id')}
     order by c.score desc, post.id desc limit ${LIMIT} offset $11`,
    'page.score desc, page.feed_id desc',
  ),
  { replica: subjectsOfPage },
);
