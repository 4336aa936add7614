// Bookmarks, favourites, pins, reactions, filters, followed tags and scheduled posts: 1,000 accounts, of
// which a0001 … a0100 are local and a0001 has the most.
import { accounts, posts, relations, some, somebody } from '../seeds.mjs';

export const title = 'What people keep';

export const rows =
  '1,000 accounts (100 of them local), 100,000 posts, 60,000 follows, 100,000 bookmarks (20,000 by one account, in 10 folders), 120,000 favourites, 20,000 pins, 100,000 reactions (5,000 of them under one post), 2,000 filters with 10,000 words and 10,000 posts, 100,000 followed tags, 10,000 posts that wait.';

/** Many rows of a0001 and as many of the other local accounts together. */
const mineAndOthers = (mine, others) => `
  select 'a0001' as one, n from generate_series(1, ${mine}) n
  union all select ${somebody('n % 99 + 2')}, (n - 1) / 99 + 1 from generate_series(1, ${others}) n`;

export const seed = `
  ${accounts(1000, 100)}
  ${relations}
  ${posts(100000)}
  insert into bookmark_folders (id, account_id, name)
  select one || '-' || n, one, 'folder ' || n from (${mineAndOthers(10, 990)}) k;
  insert into bookmarks (account_id, status_id, folder_id)
  select one, ${some('n * 3 % 100000 + 1')}, one || '-' || (n % 11 + 1) from (${mineAndOthers(20000, 80000)}) k
  where n % 11 < 10 order by n, one;
  insert into bookmarks (account_id, status_id)
  select one, ${some('n * 3 % 100000 + 1')} from (${mineAndOthers(20000, 80000)}) k where n % 11 = 10 order by n, one;
  insert into favourites (account_id, status_id)
  select one, ${some('n * 3 % 100000 + 1')} from (${mineAndOthers(20000, 99000)}) k order by n, one;
  insert into favourites (account_id, status_id) select id, ${some('2')} from accounts;
  insert into pins (status_id, account_id, created_at)
  select id, author_id, timestamptz '2026-01-01' + row_number() over (order by id) * interval '1 minute'
  from statuses order by id desc limit 20000;
  insert into reactions (status_id, account_id, name)
  select ${some('1')}, id, 'emoji' || k from accounts cross join generate_series(1, 5) k;
  insert into reactions (status_id, account_id, name)
  select ${some('n / 5 + 2')}, ${somebody('n % 1000 + 1')}, 'emoji' || n % 3 from generate_series(1, 95000) n;
  insert into filters (account_id, title, contexts, action)
  select one, 'filter ' || n, '{home}', 'hide' from (${mineAndOthers(20, 1980)}) k;
  insert into filter_keywords (filter_id, keyword, whole_word) select id, 'word' || k, true from filters, generate_series(1, 5) k;
  insert into filter_statuses (filter_id, status_id) select id, ${some('k * 97')} from filters, generate_series(1, 5) k;
  insert into hashtags (name) select 'tag' || n from generate_series(1, 20000) n;
  insert into followed_tags (account_id, hashtag_id) select one, n from (${mineAndOthers(1000, 99000)}) k order by n, one;
  insert into scheduled_statuses (account_id, scheduled_at, options)
  select one, timestamptz '2030-01-01' + n * interval '1 minute', '{}' from (${mineAndOthers(300, 9700)}) k;
`;

const ME = 'a0001';
const LAST = '9223372036854775807';
const LOCAL = Array.from({ length: 40 }, (_, n) => `a${String(n + 1).padStart(4, '0')}`);

export const plans = [
  { name: 'bookmarks.all.older', values: [ME, LAST, '0', 40, 0], note: 'Of an account with thousands of them.' },
  { name: 'bookmarks.one.older', values: [ME, LAST, '0', 40, 0, 'a0001-3'] },
  { name: 'bookmarks.empty_folder', values: [ME, 'a0001-3', LAST], note: 'It writes a thousand rows.' },
  { name: 'favourites.of_account.older', values: [ME, ME, LAST, '0', 40, 0] },
  { name: 'favourites.of_another.older', values: ['a0002', ME, LAST, '0', 40, 0], note: 'As somebody else sees them.' },
  { name: 'favourites.of_status.older', values: [ME, 's000000002', LAST, '0', 40, 0, true, true] },
  { name: 'pins.of_author', values: ['a0002', ME, [], false, false, null] },
  {
    name: 'reactions.of_status',
    values: [ME, 's000000001', false, null, true, true],
    note: 'Under a post with thousands.',
  },
  { name: 'filters.of_account', values: [ME] },
  { name: 'filters.books', values: [LOCAL], note: 'Of 40 readers with 20 filters each.' },
  { name: 'tags.followed_by.older', values: [ME, LAST, '0', 40, 0] },
  { name: 'scheduled.page.older', values: [ME, LAST, '0', 40, 0] },
  { name: 'scheduled.counts', values: [ME, '2030-01-01', '0'] },
];
