import { type Keyset, sql, type Statement } from '../platform/index.js';
import {
  addressesNobodyHidden,
  blockedAccounts,
  isShown,
  maySee,
  PAGE_KEYS,
  type PageRow,
  selectPage,
} from '../statuses/index.js';

/** The newest posts, among which common words are found: to look up all that have such a word would cost more. */
const RECENT = 2_000;
/** Posts of one author looked at for one page at most; what lies beyond is not found. */
const EXAMINED = 20_000;
/** Of the newest posts so many tell how common words are. */
const SAMPLE = 1_000;
/** Words that are in more posts than this are common: they are looked for among the newest only, but more of them. */
const MANY = 10_000;
const RECENT_OF_MANY = 5_000;
/** Posts with the words that may be shown are looked for among so many with them. */
const SHOWN_AMONG = 4_000;

/*
 * $1 viewer, $2 below, $3 above, $4 text, null for any, $5 parts that are wanted, $6 parts that are not, $7 limit,
 * $8 offset. Muted people are shown, those who block or are blocked are not; anonymous callers find what was written here
 * (entities: search, what hides what).
 */
const IS_WANTED = `o.reblog_of_id is null and ($1 <> '' or o.local) and o.flags & $5::int = $5::int and o.flags & $6::int = 0`;
const SUITS = `${IS_WANTED}
  and ${maySee('o', '$1')} and ${isShown('o.author_id')} and ${addressesNobodyHidden('o', '$1')}`;
const WORDS = `q as materialized (select websearch_to_tsquery('svc', $4::text) as words)`;
const HAS_WORDS = `o.tsv @@ (select words from q)`;
/** Nothing but words that must be missing cannot be looked up. */
const ARE_INDEXED = `(select querytree(words) <> 'T' from q)`;
const WITHIN = 'o.id < $2 and o.id > $3';

/** The posts that are looked at for a page. */
interface Scope {
  readonly name: string;
  /** A CTE of its own, with a comma behind. */
  readonly with?: (order: 'asc' | 'desc') => string;
  /** Rows of `statuses` under the name `o`, no more than are looked at; `order` is that of the page. */
  readonly from: (order: 'asc' | 'desc') => string;
}

function page(direction: Keyset['direction'], scope: Scope): Statement<PageRow> {
  const order = direction === 'older' ? 'desc' : 'asc';
  return sql<PageRow>(
    `search.statuses_${scope.name}.${direction}`,
    `with ${blockedAccounts('$1')}, ${WORDS}, ${scope.with?.(order) ?? ''}
    p as materialized (
      select o.id as feed_id, o.author_id as w_author_id, ${PAGE_KEYS} from ${scope.from(order)}
      where ${SUITS} and ($4::text is null or ${HAS_WORDS})
      order by o.id ${order} limit $7 offset $8)
    ${selectPage('$1')} order by p.feed_id desc`,
  );
}

const pages = (scope: Scope) => ({ older: page('older', scope), newer: page('newer', scope) });

/** Among the newest posts of all. Index: statuses_pkey. */
export const recentPage = pages({
  name: 'recent',
  from: (order) => `(select * from statuses o where ${WITHIN} order by o.id ${order} limit ${RECENT}) o`,
});

/** The index finds posts with all words wherever they stand, and none by what must be missing: this is the query for them. */
const INDEXED = `regexp_replace(querytree((select words from q)), '<(-|[0-9]+)>', '&', 'g')::tsquery`;
/** CTEs: how many posts the index would find, and whether they are too many to be read. */
const COMMON = `i as materialized (select case when ${ARE_INDEXED} then ${INDEXED} end as words),
  common as materialized (
    select (
      select count(*) from (select s.tsv from statuses s order by s.id desc limit ${SAMPLE}) s where s.tsv @@ (select words from i)
    ) * (select greatest(reltuples, ${SAMPLE}) from pg_class where oid = 'statuses'::regclass) / ${SAMPLE} > ${MANY} as is_common)`;

/**
 * Among all posts that have the words, which are found before they are put in order: else all posts would be read in order
 * until enough have them. Of words that are common, the index would find most posts there are. Index: statuses_tsv.
 */
export const wordsPage = pages({
  name: 'words',
  with: (order) => `${COMMON}, f as materialized (
     select o.id from statuses o
     where (select not is_common from common) and ${ARE_INDEXED} and ${HAS_WORDS} and ${WITHIN} and ${IS_WANTED}
     union all
     select o.id from (select * from statuses o where ${WITHIN} order by o.id ${order} limit ${RECENT_OF_MANY}) o
     where (select is_common from common) and ${IS_WANTED} and ${HAS_WORDS}),`,
  from: (order) => `(select * from f o order by o.id ${order} limit ${SHOWN_AMONG}) f
    cross join lateral (select * from statuses s where s.id = f.id offset 0) o`,
});

/** Among the posts of one account, $9. Index: statuses_author. */
export const authorPage = pages({
  name: 'author',
  from: (order) =>
    `(select * from statuses o where o.author_id = $9 and ${WITHIN} order by o.id ${order} limit ${EXAMINED}) o`,
});

// $2 an address, $3 an id. Indexes: statuses_uri_key, statuses_url, statuses_pkey.
export const addressPage = sql<PageRow>(
  'search.status_at',
  `with ${blockedAccounts('$1')},
  at as materialized (
    select id from statuses where uri = $2
    union select id from statuses where url = $2 and not local
    union select id from statuses where id = $3),
  p as materialized (
    select o.id as feed_id, o.author_id as w_author_id, ${PAGE_KEYS} from at join statuses o on o.id = at.id
    where o.reblog_of_id is null and ($1 <> '' or o.local) and ${maySee('o', '$1')} and ${isShown('o.author_id')}
      and ${addressesNobodyHidden('o', '$1')}
    order by o.id desc limit 1)
  ${selectPage('$1')}`,
);
