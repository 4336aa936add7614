import { fragment } from '../../platform/index.js';
import { PAGE_KEYS, type PageRow, PUBLIC, selectPage, StatusFlag, subjectsOfPage } from '../../statuses/index.js';
import { PUBLIC_POSTS } from '../../accounts/index.js';
import { isDiscoverable, isShownInTimelines, LIMIT, matchesPostFilter, scanOrder } from './status-filters.sql.js';
import { perDirection } from './pull.sql.js';

/** Maximum number of posts read for one page: few of them may be by discoverable authors. */
const EXAMINED_POSTS = 1_000;

/** Public posts of discoverable authors that show the card of the page `$11`. Index: cards_url_key, status_cards_card. */
export const linkPage = perDirection<PageRow>(
  'link',
  (direction) =>
    selectPage(
      '$1',
      fragment`select post.id as feed_id, post.author_id as entry_author_id, ${PAGE_KEYS} from (
        select k.status_id from status_cards k
        where k.card_id = (select id from cards where url = $11) and k.status_id < $2 and k.status_id > $3
        order by k.status_id ${scanOrder(direction)} limit ${EXAMINED_POSTS}) k
      cross join lateral (select * from statuses s where s.id = k.status_id offset 0) post
      where post.flags & ${StatusFlag.card} <> 0 and ${PUBLIC.sql('post')} and ${isDiscoverable('post.author_id')}
        and ${isShownInTimelines('post.author_id')} and ${matchesPostFilter('post.author_id')}
      order by k.status_id ${scanOrder(direction)} limit ${LIMIT}`,
      'page.feed_id desc',
    ),
  { replica: (values, rows) => [PUBLIC_POSTS, ...subjectsOfPage(values, rows)] }, // a page without posts may be a 404
);
