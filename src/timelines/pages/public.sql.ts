import { cte, fragment, type Keyset, sql, type Statement } from '../../platform/index.js';
import {
  PAGE_KEYS,
  type PageRow,
  selectPage,
  subjectsOfPage,
  PUBLIC,
  ON_LOCAL_TIMELINE,
} from '../../statuses/index.js';
import { isOfServer, PUBLIC_POSTS } from '../../accounts/index.js';
import { EXAMINED, isShownInTimelines, LIMIT, matchesPostFilter, scanOrder } from './status-filters.sql.js';

type Direction = Keyset['direction'];

/** Written like the condition of the partial index, so that PostgreSQL uses it. */
const WHOLE = `${PUBLIC.sql('post')} and post.reblog_of_id is null`;
const LOCAL = `${ON_LOCAL_TIMELINE.sql('post')} and post.reblog_of_id is null and post.local`;

function page(name: string, scope: string, direction: Direction): Statement<PageRow> {
  return sql<PageRow>(
    `timelines.${name}.${direction}`,
    selectPage(
      '$1',
      fragment`select post.id as feed_id, post.author_id as entry_author_id, ${PAGE_KEYS} from (
        select * from statuses post where post.id < $2 and post.id > $3 and ${scope}
        order by post.id ${scanOrder(direction)} limit ${EXAMINED}) post
      where ${isShownInTimelines('post.author_id')} and ${matchesPostFilter('post.author_id')}
      order by post.id ${scanOrder(direction)} limit ${LIMIT}`,
      'page.feed_id desc',
    ),
    { replica: (values, rows) => [PUBLIC_POSTS, ...subjectsOfPage(values, rows)] }, // a cached page depends on it
  );
}

/** Every public post known here. Index: statuses_public. */
export const publicPage = { older: page('public', WHOLE, 'older'), newer: page('public', WHOLE, 'newer') };

/** Posts made here; signed-in readers see local-only ones too. Index: statuses_public_local. */
export const localPage = { older: page('public_local', LOCAL, 'older'), newer: page('public_local', LOCAL, 'newer') };

const HOST = (address: string) => `split_part(${address}, '/', 3)`;

/** The hosts of the accounts of the server `$11`: itself and those of its handles, nearly always one. Costs one index lookup for each. */
const hostsOfHandles = cte(
  'host_of_handles(name)',
  `select min(${HOST('a.ap_id')}) from accounts a where a.domain = $11
    union all
    select (select min(${HOST('a.ap_id')}) from accounts a where a.domain = $11 and ${HOST('a.ap_id')} > found.name)
    from host_of_handles found where found.name is not null`,
  'recursive',
);
const hosts = cte(
  'host(name)',
  fragment`select $11::text union select name from ${hostsOfHandles} where name is not null`,
);

function hostPage(direction: Direction): Statement<PageRow> {
  const order = scanOrder(direction);
  return sql<PageRow>(
    `timelines.public_host.${direction}`,
    selectPage(
      '$1',
      fragment`select e.* from ${hosts} cross join lateral (
        select post.id as feed_id, post.author_id as entry_author_id, ${PAGE_KEYS} from (
          select * from statuses post
          where ${HOST('post.uri')} = host.name and post.id < $2 and post.id > $3 and ${WHOLE} and not post.local
          order by post.id ${order} limit ${EXAMINED}) post
        where ${isShownInTimelines('post.author_id')} and ${matchesPostFilter('post.author_id')}
          and coalesce((select true from accounts a where a.id = post.author_id and ${isOfServer('a', '$11')}), false)
        order by post.id ${order} limit ${LIMIT}) e
      order by e.feed_id ${order} limit ${LIMIT}`,
      'page.feed_id desc',
    ),
    { replica: subjectsOfPage },
  );
}

/** Public posts of another server, `$11`. Index: accounts_hosts, accounts_pkey, statuses_public_host. */
export const hostPages = { older: hostPage('older'), newer: hostPage('newer') };
