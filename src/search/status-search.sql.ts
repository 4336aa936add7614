import { cte, fragment, type Fragment, type Keyset, sql, type Statement } from '../platform/index.js';
import {
  blockedAccounts,
  isOfNoBlockedDomain,
  isNotHidden,
  maySee,
  mentionsNoHidden,
  PAGE_KEYS,
  type PageRow,
  selectPage,
  subjectsOfPage,
} from '../statuses/index.js';

/** Number of newest posts that are searched without words, and that show which words are common. */
const RECENT = 4_000;
/** Maximum number of posts read for one page, of an author or for a common word; older posts are not found. */
const EXAMINED = 20_000;
/** A word in more posts than this is common. */
const MANY = 10_000;
/** Number of newest posts that show which words became common since the last `analyze`. */
const SAMPLE = 400;
/** A word with fewer hits among the newest posts is not common: five times as many posts would not fill a page of 40. */
const ENOUGH = 8;
/** Maximum number of matching posts that are checked for visibility. */
const SHOWN_AMONG = 4_000;
/** A word that may have more uses than this is looked for in a part of time first, */
const USED = 4_000;
/** of so many hundredths of the posts: a page of 40 is full unless the word is used less now than at other times; */
const STEPS = 1;
/** then in so many. */
const FURTHER_STEPS = 5;
/** `analyze` does not list words that fewer than about one post in so many contains. */
const UNLISTED = 800;

/**
 * A row of a search for words, with the end of the part of time that was searched, null where all of it was. There is one
 * without an entry when nothing is found.
 */
export type WordsRow = (PageRow | { readonly feedId: null }) & { readonly until: string | null };

/*
 * $1 viewer, $2 below, $3 above, $4 text, null for any, $5 required parts, $6 excluded parts, $7 limit, $8 offset.
 * Shows muted authors. Hides authors who block the viewer, whom the viewer blocks, or whose domain the viewer blocks.
 * Anonymous callers find local posts only (spec §10.11, §10.15).
 */
const IS_WANTED = `post.reblog_of_id is null and ($1 <> '' or post.local) and post.flags & $5::int = $5::int and post.flags & $6::int = 0`;
const blocked = blockedAccounts('$1');
/** A search for words leaves out posts of others who do not want that. Index: accounts_pkey. */
const IS_INDEXED = `($4::text is null or post.author_id = $1
  or coalesce((select z.indexable from accounts z where z.id = post.author_id), true))`;
const MATCHES = fragment`${IS_WANTED} and ${IS_INDEXED}
  and ${maySee('post', '$1')} and ${isNotHidden('post.author_id', blocked)} and ${mentionsNoHidden('post', '$1', blocked)}
  and ${isOfNoBlockedDomain('post.author_id', '$1')}`;
const query = cte('query', `select websearch_to_tsquery('svc', $4::text) as words`);
const HAS_WORDS = fragment`post.tsv @@ (select words from ${query})`;
/** Whether the index can look up the query: it cannot when all words are excluded. */
const ARE_INDEXED = fragment`(select querytree(words) <> 'T' from ${query})`;
const WITHIN = 'post.id < $2 and post.id > $3';

const orderOf = (direction: Keyset['direction']) => (direction === 'older' ? 'desc' : 'asc');
const COLUMNS = `post.id as feed_id, post.author_id as entry_author_id, ${PAGE_KEYS}`;

/** A page of the matching posts among the rows of `statuses`, named `post`, that `from` reads. */
function page(name: string, direction: Keyset['direction'], from: (order: string) => string): Statement<PageRow> {
  const order = orderOf(direction);
  return sql<PageRow>(
    `search.statuses_${name}.${direction}`,
    selectPage(
      '$1',
      fragment`select ${COLUMNS} from ${from(order)}
      where ${MATCHES} and ($4::text is null or ${HAS_WORDS})
      order by post.id ${order} limit $7 offset $8`,
      'page.feed_id desc',
    ),
    { replica: subjectsOfPage },
  );
}

const recent = (count: number) => (order: string) =>
  `(select * from statuses post where ${WITHIN} order by post.id ${order} limit ${count}) post`;

/** Searches the newest posts. Index: statuses_pkey. */
export const recentPage = {
  older: page('recent', 'older', recent(RECENT)),
  newer: page('recent', 'newer', recent(RECENT)),
};

const ofAuthor = (order: string) =>
  `(select * from statuses post where post.author_id = $9 and ${WITHIN} order by post.id ${order} limit ${EXAMINED}) post`;

/** Searches the posts of one account, $9. Index: statuses_author. */
export const authorPage = { older: page('author', 'older', ofAuthor), newer: page('author', 'newer', ofAuthor) };

/** The query as the index can look it up: without the order of the words in phrases, and without excluded words. */
const INDEXED = fragment`regexp_replace(querytree((select words from ${query})), '<(-|[0-9]+)>', '&', 'g')::tsquery`;
/** The number of posts, and the number written or changed since the last `analyze`. */
const POSTS = `(select reltuples from pg_class where oid = 'statuses'::regclass)`;
const CHANGED = `pg_stat_get_mod_since_analyze('statuses'::regclass)`;
const newest = (count: number) => `(select s.tsv from statuses s order by s.id desc limit ${count}) s`;
const indexedWords = cte('indexed', fragment`select case when ${ARE_INDEXED} then ${INDEXED} end as words`);
const IS_FOUND = fragment`s.tsv @@ (select words from ${indexedWords})`;
const STATISTICS = `pg_stats where schemaname = any(current_schemas(false)) and tablename = 'statuses'`;
const listedWords = cte(
  'listed',
  `select word, share * ${POSTS} as uses
    from (select * from ${STATISTICS} and attname = 'tsv') known,
      unnest(most_common_elems::text::text[], most_common_elem_freqs) as m (word, share)
    where word is not null`,
);
const wordsAbove = (uses: number) =>
  fragment`(select array_to_tsvector(coalesce(array_agg(word) filter (where uses > ${uses}), '{}')) from ${listedWords})`;
const commonWords = cte('common', fragment`select ${wordsAbove(MANY)} as words`);
const COMMON = fragment`(select words from ${commonWords})`;
/**
 * What is looked up in the index: all words but the common ones, where a match has every word and one is not common. The index
 * would read all uses of a common word to leave out a part of the few posts with the others.
 */
const soughtWords = cte(
  'sought',
  fragment`select case when words::text ~ '^''[^ ]+''( & ''[^ ]+'')+$' then coalesce((select string_agg(word, ' & ')
      from regexp_split_to_table(words::text, ' & ') word where not ${COMMON} @@ word::tsquery)::tsquery, words)
    else words end as words from ${indexedWords}`,
);
/** Whether the post matches, found by its rarer words. `coalesce` has the index look up no more than these. */
const MATCHES_WORDS = fragment`post.tsv @@ (select words from ${soughtWords}) and coalesce(${HAS_WORDS}, false)`;
/**
 * Whether to search the newest posts instead of the index: when the index cannot look up the query, or would find too
 * many posts according to `analyze`, which samples all posts. Too many posts can only match if a post of nothing but common words
 * would match; then the newest posts show how often these words occur together. For rarer words the newest posts only
 * show how many matches were written since `analyze`, and a few hits there mean little.
 */
const way = cte(
  'way',
  fragment`select case when not $9::boolean then false when words is null then true
      when ${COMMON} @@ words then exists (
        select from ${newest(RECENT)} where ${IS_FOUND}
        offset greatest(${ENOUGH}, ${MANY} / ${POSTS} * ${RECENT}) - 1 limit 1)
      else (select count(*) >= ${ENOUGH} and count(*) * ${CHANGED} / ${SAMPLE} > ${MANY} from ${newest(SAMPLE)} where ${IS_FOUND})
      end as is_recent from ${indexedWords}`,
);
const IS_RECENT = fragment`(select is_recent from ${way})`;
/** Whether the listed words alone make a match with many uses, or there are so many posts that words which are not listed may. */
const mayHaveManyUses = fragment`(${POSTS} > ${UNLISTED * USED} or (select ${wordsAbove(USED)} @@ words from ${indexedWords}))`;
/**
 * The ends of the parts of time that are searched first, within the bounds of the page; no row where all of it is searched at
 * once: for words with few uses, and where $9 is false. `analyze` keeps a hundred steps of the ids, with as many posts between.
 */
const partEnds = (direction: Keyset['direction']) => {
  const order = orderOf(direction);
  const bounds = `(select unnest(histogram_bounds::text::text[]) collate "C" as id from ${STATISTICS} and attname = 'id') step`;
  const beyond = direction === 'older' ? 'step.id < $2' : 'step.id > $3';
  const after = (steps: number) =>
    `(select step.id from ${bounds} where ${beyond} order by step.id ${order} offset ${steps} limit 1)`;
  return cte(
    'part',
    fragment`select ${after(STEPS)} as near, ${after(FURTHER_STEPS)} as further
      where $9::boolean and not ${IS_RECENT} and ${mayHaveManyUses}`,
  );
};

function wordsOf(direction: Keyset['direction']): Statement<WordsRow> {
  const order = orderOf(direction);
  const ends = partEnds(direction);
  const matchesUntil = (end: Fragment) => fragment`select post.id from statuses post
      where ${end} is not null and post.id ${direction === 'older' ? '>=' : '<='} ${end} and ${WITHIN} and ${MATCHES_WORDS} and ${IS_WANTED}`;
  const fills = (matches: Fragment) => fragment`(select count(*) from ${matches}) >= $7::bigint + $8::bigint`;
  const nearEnd = fragment`(select near from ${ends})`;
  const furtherEnd = fragment`(select further from ${ends})`;
  const near = cte('near', matchesUntil(nearEnd));
  const further = cte('further', fragment`${matchesUntil(furtherEnd)} and not ${fills(near)}`);
  // Where both parts have too few matches for the page, all others are found at once.
  const searched = cte(
    'searched',
    fragment`select case when ${fills(near)} then ${nearEnd} when ${fills(further)} then ${furtherEnd} end as until`,
  );
  const end = fragment`(select until from ${searched})`;
  const found = cte(
    'found',
    fragment`select id from (select id from ${near} union select id from ${further}) m where ${end} is not null
      union all select post.id from statuses post
        where not ${IS_RECENT} and ${end} is null and ${MATCHES_WORDS} and ${IS_WANTED}`,
  );
  // Ordered by an id that is known before the join, so that PostgreSQL stops reading posts when the page is full.
  const part = (isRecent: boolean, from: string | Fragment, id: string) => fragment`(select ${COLUMNS} from ${from}
      where ${IS_RECENT} = ${String(isRecent)} and ${MATCHES} and ${HAS_WORDS}
      order by ${id} ${order} limit $7::bigint + $8::bigint)`;
  const indexed = fragment`(select * from ${found} f where f.id < $2 and f.id > $3 order by f.id ${order} limit ${SHOWN_AMONG}) f
      cross join lateral (select * from statuses s where s.id = f.id offset 0) post`;
  const rows = selectPage(
    '$1',
    fragment`select * from (${part(false, indexed, 'f.id')} union all ${part(true, recent(EXAMINED)(order), 'post.id')}) post
      order by post.feed_id ${order} limit $7 offset $8`,
  );
  return sql<WordsRow>(
    `search.statuses_words.${direction}`,
    fragment`select searched.until, entry.* from ${searched} left join (${rows}) entry on true order by entry."feedId" desc`,
    { replica: (values, found) => subjectsOfPage(values, found.filter(isEntry)) },
  );
}

/** Whether a row has an entry of the page. */
export function isEntry(row: WordsRow): row is PageRow & WordsRow {
  return row.feedId !== null;
}

/**
 * Searches all posts by the index on their words. Finds the matches before it sorts them: PostgreSQL would otherwise
 * read all posts in order until enough of them match. For words so common that the index would find a large part of all
 * posts, searches only the newest posts; for other words with many uses, with $9, only a part of time: the index on words
 * cannot tell which of the matches are the newest. Index: statuses_tsv with statuses_time, or statuses_pkey.
 */
export const wordsPage = { older: wordsOf('older'), newer: wordsOf('newer') };

const addressed = cte(
  'addressed',
  `select id from statuses where uri = $2
    union select id from statuses where url = $2 and not local
    union select id from statuses where id = $3`,
);

// $1 viewer, $2 address, $3 id. Indexes: statuses_uri_key, statuses_url, statuses_pkey.
export const addressPage = sql<PageRow>(
  'search.status_at',
  selectPage(
    '$1',
    fragment`select post.id as feed_id, post.author_id as entry_author_id, ${PAGE_KEYS} from ${addressed} at join statuses post on post.id = at.id
    where post.reblog_of_id is null and ($1 <> '' or post.local) and ${maySee('post', '$1')} and ${isNotHidden('post.author_id', blocked)}
      and ${mentionsNoHidden('post', '$1', blocked)} and ${isOfNoBlockedDomain('post.author_id', '$1')}
    order by post.id desc limit 1`,
  ),
);
