import { fragment, type Keyset, sql } from '../../platform/index.js';
import { PAGE_KEYS, type PageRow, selectPage, DIRECT } from '../../statuses/index.js';
import { EXAMINED, isShownInTimelines, LIMIT, matchesDirectFilter, scanOrder } from './status-filters.sql.js';

type Direction = Keyset['direction'];

const KEYS = `post.id as feed_id, post.author_id as entry_author_id, ${PAGE_KEYS}`;
const within = (id: string) => `${id} < $2 and ${id} > $3`;

function page(direction: Direction) {
  const order = scanOrder(direction);
  return sql<PageRow>(
    `timelines.direct.${direction}`,
    selectPage(
      '$1',
      fragment`select * from (
        (select ${KEYS} from statuses post
         where post.author_id = $1 and ${DIRECT.sql('post')} and ${within('post.id')} and ${matchesDirectFilter('post.author_id')}
         order by post.id ${order} limit ${LIMIT})
        union all
        (select ${KEYS} from (
           select m.status_id from mentions m where m.account_id = $1 and ${within('m.status_id')}
           order by m.status_id ${order} limit ${EXAMINED}) m join statuses post on post.id = m.status_id
         where ${DIRECT.sql('post')} and post.author_id <> $1 and ${isShownInTimelines('post.author_id')}
           and ${matchesDirectFilter('post.author_id')}
         order by m.status_id ${order} limit ${LIMIT})) either
      order by feed_id ${order} limit ${LIMIT}`,
      'page.feed_id desc',
    ),
  );
}

/** Direct posts by and to the reader. Index: statuses_direct, mentions_account. */
export const directPage = { older: page('older'), newer: page('newer') };
