import { type Keyset, sql, type Statement } from '../platform/index.js';
import { gates, hiddenAccounts, isShown, PAGE_KEYS, type PageRow, selectPage, Visibility } from '../statuses/index.js';
import { EXAMINED, LIMIT, postSuits, scanOrder } from './filters.js';

type Direction = Keyset['direction'];

/** What makes a post public, so that the partial index of the same condition serves the page. */
const WHOLE = `o.visibility = ${Visibility.public} and o.reblog_of_id is null`;
const LOCAL = `o.visibility in (${Visibility.public}, ${Visibility.local}) and o.reblog_of_id is null and o.local`;

// `$10` is the domain whose posts are wanted, `''` for this server, null for all.
function page(name: string, scope: string, direction: Direction): Statement<PageRow> {
  return sql<PageRow>(
    `timelines.${name}.${direction}`,
    `with ${hiddenAccounts('$1', '$4')}, ${gates('$1')},
    p as materialized (
      select o.id as feed_id, o.author_id as w_author_id, ${PAGE_KEYS} from (
        select * from statuses o where o.id < $2 and o.id > $3 and ${scope}
        order by o.id ${scanOrder(direction)} limit ${EXAMINED}) o
      where ${isShown('o.author_id')} and ${postSuits('o.author_id')}
        and ($10::text is null or coalesce((select domain from accounts a where a.id = o.author_id), '') = $10)
      order by o.id ${scanOrder(direction)} limit ${LIMIT})
    ${selectPage('$1')} order by p.feed_id desc`,
  );
}

/** Every public post known here. Index: statuses_public. */
export const publicPage = { older: page('public', WHOLE, 'older'), newer: page('public', WHOLE, 'newer') };

/** Posts made here; signed-in readers see local-only ones too. Index: statuses_public_local. */
export const localPage = { older: page('public_local', LOCAL, 'older'), newer: page('public_local', LOCAL, 'newer') };
