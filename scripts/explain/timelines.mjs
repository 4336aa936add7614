// Public timelines, posts of an account, threads, and boosters: 200,000 posts by 1,000 accounts, 200 of them local.
// Home, lists and hashtags are in lists.mjs, direct messages in conversations.mjs.
import { accounts, relations, some, somebody } from '../seeds.mjs';

export const title = 'Timelines';

export const rows =
  '1,000 accounts (200 of them local, on 50 other servers the others), 200,000 posts (a tenth each are boosts, unlisted, for followers, with pictures, with one of 100 tags, and answers: 39 under each 400th post and 100 one under the other), 20,000 quotes, 900 boosts and 5,000 reactions of one post each, 50,000 other reactions, 20,000 polls, 60,000 follows, 2,000 blocks, 3,000 mutes, 200 domain blocks, 20,000 muted threads.';

const authorOf = (n) => somebody(`(${n}) * 7919 % 1000 + 1`);
/** The parent of the n-th post, or null. */
const answered = 'case when n % 10 = 7 then n / 400 * 400 + 3 when n % 10 = 8 and n > 199000 then n - 10 end';

export const seed = `
  ${accounts(1000, 200)}
  ${relations}
  insert into conversations (id, uri) select n, 'https://here.test/c/' || n from generate_series(0, 999) n;
  insert into statuses (id, author_id, uri, visibility, reblog_of_id, in_reply_to_id, in_reply_to_account_id, conversation_id,
    quote_of_id, local, flags)
  select ${some('n')}, author, 'https://here.test/s/' || n,
    case n % 10 when 0 then 2 when 1 then 1 when 2 then case when author <= 'a0200' then 4 else 0 end else 0 end,
    case when n % 10 = 5 and n > 1001 then ${some('n - 1001')} end, ${some('parent')}, ${authorOf('parent')},
    n / 400, case when n % 10 = 9 and n > 9 then ${some('9')} end, author <= 'a0200', case n % 10 when 3 then 2 when 4 then 1 when 6 then 16 when 7 then 8 else 0 end
  from (select n, ${authorOf('n')} as author, ${answered} as parent from generate_series(1, 200000) n) written;
  insert into statuses (id, author_id, uri, visibility, reblog_of_id, local)
  select 's000150000-' || id, id, 'https://here.test/b/' || id, 0, ${some('9')}, false from accounts where id > 'a0100';
  insert into status_stats (status_id) select id from statuses;
  insert into mentions (status_id, account_id) select id, in_reply_to_account_id from statuses where flags = 8;
  insert into hashtags (id, name) select n, 'tag' || n from generate_series(0, 99) n;
  insert into status_hashtags (status_id, hashtag_id) select id, right(id, 6)::int / 10 % 100 from statuses where flags = 16;
  insert into polls (status_id) select id from statuses where flags = 2;
  insert into poll_options (poll_id, position, title) select id, n, 'o' || n from polls, generate_series(0, 2) n;
  insert into poll_votes (poll_id, account_id, choices) select id, ${somebody('id % 900 + n')}, '{1}' from polls, generate_series(1, 3) n;
  insert into reactions (status_id, account_id, name)
  select ${some('199999')}, id, 'emoji' || k from accounts cross join generate_series(1, 5) k;
  insert into reactions (status_id, account_id, name)
  select ${some('n * 2')}, ${somebody('n % 1000 + 1')}, 'emoji' from generate_series(1, 50000) n;
  insert into bookmarks (account_id, status_id) select account_id, ${some('n * 100')} from users, generate_series(1, 500) n;
  insert into favourites (account_id, status_id) select account_id, ${some('n * 100')} from users, generate_series(1, 500) n;
  insert into thread_mutes (account_id, conversation_id) select account_id, n * 10 from users, generate_series(0, 99) n;
`;

const ME = 'a0002';
const FILTER = [false, [], 0, false, null];
const page = (viewer, { filter = FILTER, contained = false }) => [viewer, '~', '', ...filter, 40, contained];
const account = (id, { excluded = [], media = false, reblogs = 0, replies = false, tag = null }) => [
  ME,
  '~',
  '',
  false,
  excluded,
  id,
  media,
  reblogs,
  40,
  replies,
  tag,
  0,
];
const IDS = Array.from({ length: 40 }, (_, n) => `s${String(199960 + n).padStart(9, '0')}`);
const AUTHORS = Array.from({ length: 40 }, (_, n) => `a${String(n * 20 + 3).padStart(4, '0')}`);

export const plans = [
  { name: 'timelines.public.older', values: page('', {}), note: 'Asked by an anonymous caller.' },
  {
    name: 'timelines.public_host.older',
    values: [...page(ME, {}), 'no.test'],
    note: 'Of a server without posts.',
  },
  { name: 'timelines.public.older', values: page(ME, { contained: true }), note: 'Threads contained.' },
  {
    name: 'timelines.public_local.older',
    values: page(ME, { filter: [false, [], 1, true, true] }),
    note: 'With pictures.',
  },
  { name: 'timelines.account.older', values: account('a0500', {}) },
  {
    name: 'timelines.account.older',
    values: account('a0500', { reblogs: 1, replies: true, media: true, tag: 'tag7' }),
    note: 'Pictures with a tag, which there are none of.',
  },
  { name: 'statuses.boosts_of_status.older', values: [ME, 's000000009', '~', '', 40, 0, true, true] },
  { name: 'statuses.quotes_of.older', values: [ME, 's000000009', '~', '', 40, 0] },
  { name: 'statuses.thread', values: [ME, 's000199698', 40, 60], note: 'In the middle of a long thread.' },
  { name: 'statuses.page_by_ids', values: [ME, IDS] },
  {
    name: 'statuses.viewer',
    values: [ME, IDS, ['499', '500'], AUTHORS, IDS, [], IDS, IDS, IDS.map(() => 1), false],
    note: 'What 40 posts are to somebody, with polls, and reactions of which one has thousands.',
  },
];
