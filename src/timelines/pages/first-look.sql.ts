import { cte, FIRST_ID, fragment, type Fragment, type Keyset, LAST_ID } from '../../platform/index.js';
import { type PageRow, selectPage } from '../../statuses/index.js';
import { type Chosen, entriesOf, type Sources } from './pull.sql.js';
import { scanOrder } from './status-filters.sql.js';

/*
 * Timelines of accounts that write little, read at their newest posts. Most of what a look-up of an account costs are its
 * posts on the page of the index, which PostgreSQL reads before it returns the first; a lower bound on the ids leaves them
 * out. So a sample of the accounts tells first how far down the page may reach.
 */

/** A row of a first look, with its horizon. There is one without an entry when the page is empty. */
export type FirstLookRow = (PageRow | { readonly feedId: null }) & { readonly horizon: string };

/** The accounts of a first look: SQL that selects the column `id`. It may name some that the timeline leaves out. */
export interface Accounts {
  readonly all: Fragment;
  /** The first of them, and the last. They may be the same. */
  readonly first: (count: number) => Fragment;
  readonly last: (count: number) => Fragment;
}

/** The most accounts of which each is looked up by itself. Of more, the index is read in one pass. */
const FEW = 200;
/** Number of accounts that tell where the newest posts are, and of posts of all these together. */
const ASKED = 24;
const SAMPLED = 240;
/** Number of accounts that are asked in a second sample of many accounts, and of posts of each. */
const ASKED_OF_MANY = 200;
const SAMPLED_OF_EACH = 8;
/** As many posts as this lie above the bound: some three times what a page has, since some do not match. */
const ENOUGH = 120;
/** The most posts of many accounts that are read: a pass of the index cannot stop at each account. */
const READ = 20_000;
/** Number of posts that are tried for a page. */
const TRIED = 240;

/**
 * Finds the newest posts of the accounts, and reads them until the page is full. It knows all posts down to its horizon, which
 * is open where there are no more, and at the beginning where there were too many to read. Index: statuses_author, once for
 * each account.
 */
export function firstLook(
  direction: Keyset['direction'],
  accounts: Accounts,
  sources: Sources,
  chosen: Chosen,
): Fragment {
  const order = scanOrder(direction);
  const [closed, open] = direction === 'older' ? [LAST_ID, FIRST_ID] : [FIRST_ID, LAST_ID];
  const { areFew, bound, ids } = newestPosts(direction, accounts, open);
  const found = cte('found', ids);
  const areAll = fragment`(${areFew} or (select count(*) < ${READ} from ${found}))`;
  const nearest = cte('nearest', fragment`select id from ${found} where ${areAll} order by id ${order} limit ${TRIED}`);
  const last = fragment`(select id from ${nearest} order by id ${order} offset ${TRIED - 1} limit 1)`;
  const horizon = fragment`select case when ${areAll} then coalesce(${last}, ${bound}) else '${closed}' end as horizon`;
  const posts = fragment`select id, true as reblogs from ${nearest} order by id ${order}`;
  const page = selectPage('$1', entriesOf(posts, direction, sources, chosen));
  return fragment`select seen.horizon, entry.* from (${horizon}) seen left join (${page}) entry on true
    order by entry."feedId" desc`;
}

/** The ids of all posts down to a bound, and whether the accounts are so few that each is looked up by itself. */
function newestPosts(direction: Keyset['direction'], { all, first, last }: Accounts, open: string) {
  const order = scanOrder(direction);
  const size = cte('size', fragment`select count(*) as accounts from (${first(FEW + 1)}) counted`);
  const areFew = fragment`(select accounts <= ${FEW} from ${size})`;
  const isBetween = (bound: string | Fragment) =>
    fragment`s.id < $2 and s.id > $3 and s.id ${direction === 'older' ? '>=' : '<='} ${bound}`;
  const postsOf = (account: string, bound: string | Fragment) => fragment`select s.id from statuses s
      where s.author_id = ${account}.id and ${isBetween(bound)} order by s.id ${order}`;
  const sample = (asked: Fragment, ofEach: string | Fragment, bound: string | Fragment) => fragment`(select post.id
      from (${asked}) asked cross join lateral (${postsOf('asked', bound)} limit ${ofEach}) post
      order by post.id ${order} offset ${ENOUGH - 1} limit 1)`;

  const ofEach = fragment`(select ${SAMPLED} / least(greatest(accounts, 1), ${ASKED}) from ${size})`;
  const rough = cte(
    'rough_bound',
    fragment`select coalesce(${sample(first(ASKED), ofEach, `'${open}'`)}, '${open}') as id`,
  );
  const roughly = fragment`(select id from ${rough})`;
  const ends = fragment`select id from ((${first(ASKED_OF_MANY / 2)}) union all (${last(ASKED_OF_MANY / 2)})) ends where not ${areFew}`;
  const exact = cte(
    'bound',
    fragment`select coalesce(${sample(ends, String(SAMPLED_OF_EACH), roughly)}, ${roughly}) as id`,
  );
  const bound = fragment`(select id from ${exact})`;

  const ofFew = fragment`select post.id from (select id from (${all}) listed where ${areFew} offset 0) account
      cross join lateral (${postsOf('account', bound)} limit ${TRIED}) post`;
  const ofMany = fragment`select s.id from statuses s
      where s.author_id = any(array(select id from (${all}) listed where not ${areFew})) and ${isBetween(bound)} limit ${READ}`;
  return { areFew, bound, ids: fragment`(${ofFew}) union all (${ofMany})` };
}
