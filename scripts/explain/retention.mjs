// Removals of what is old: 200,000 remote posts of 20,000 accounts in 40,000 threads, one of which has 5,000 posts.

import { some } from '../seeds.mjs';

/** The id of the n-th account; `n` is SQL. */
const account = (n) => `'a' || lpad((${n})::text, 6, '0')`;

export const title = 'Removals of what is old';

export const rows =
  '200,000 posts of 20,000 accounts, 100 of them here, in threads of five and one of 5,000; each tenth post is favourited, each hundredth by somebody here, one was boosted 3,000 times.';

export const seed = `
  insert into accounts (id, nickname, domain, ap_id, created_at, refreshed_at)
  select ${account('n')}, 'p' || n, case when n > 100 then 'h' || n % 50 || '.test' end, 'https://h.test/' || n, '2020-01-01', '2020-01-01'
  from generate_series(1, 30000) n;
  insert into account_stats (account_id) select id from accounts;
  insert into users (account_id, password_hash, email) select id, '', id || '@mail.test' from accounts where domain is null;
  insert into follows (follower_id, followee_id)
  select ${account('n')}, ${account('100 + (n * 37 + k * 11) % 2000')} from generate_series(1, 100) n, generate_series(1, 100) k on conflict do nothing;
  insert into conversations (id, uri) select n, 'https://h.test/c/' || n from generate_series(1, 40000) n;
  insert into statuses (id, author_id, uri, visibility, content_html, content_text, local, conversation_id, flags)
  select ${some('n')}, ${account('101 + n * 7919 % 19900')}, 'https://h.test/s/' || n, 0, 'a post', 'a post', false,
    case when n between 50001 and 55000 then 1 else 2 + n / 5 % 39999 end, 16
  from generate_series(1, 200000) n;
  update statuses s set in_reply_to_id = r.id from (select id, lag(id) over (partition by conversation_id order by id) as parent from statuses) r
  where r.id = s.id and r.parent is not null and s.id < ${some('20000')};
  update statuses set in_reply_to_id = ${some('50001')} where conversation_id = 1 and id > ${some('50001')};
  insert into statuses (id, author_id, uri, visibility, local, conversation_id)
  select 't' || lpad(n::text, 9, '0'), ${account('n % 100 + 1')}, 'https://here.test/s/' || n, 0, true, 2 + n * 13 % 39999 from generate_series(1, 3000) n;
  insert into statuses (id, author_id, uri, visibility, local, reblog_of_id)
  select 'r' || lpad(n::text, 9, '0'), ${account('15000 + n')}, 'https://h.test/b/' || n, 0, false, ${some('50002')} from generate_series(1, 3000) n;
  insert into status_stats (status_id) select id from statuses;
  insert into favourites (status_id, account_id) select id, case when right(id, 2) = '00' then 'a000007' else 'a010001' end from statuses where right(id, 1) = '0' and id < 't';
  insert into mentions (status_id, account_id) select id, ${account('right(id, 6)::int % 19000 + 101')} from statuses where right(id, 1) in ('1', '5') and id < 't';
  insert into hashtags (id, name) select n, 'tag' || n from generate_series(1, 500) n;
  insert into status_hashtags (status_id, hashtag_id) select id, right(id, 6)::int % 500 + 1 from statuses where id like 's%' and right(id, 1) in ('2', '3');
  insert into followed_tags (account_id, hashtag_id) select ${account('n')}, n from generate_series(1, 50) n;
  insert into reactions (status_id, account_id, name) select id, ${account('right(id, 6)::int % 9000 + 1')}, 'x' from statuses where right(id, 2) = '21' and id < 't';
  insert into polls (id, status_id) select row_number() over (), id from statuses where right(id, 2) = '23' and id < 't';
  insert into poll_votes (poll_id, account_id, choices) select id, 'a010002', '{0}' from polls;
  insert into pins (status_id, account_id) select id, author_id from statuses where right(id, 2) = '25' and id < 't';
  insert into conversation_participants (account_id, conversation_id, last_status_id, participants) select 'a000001', n * 13, '', '{}' from generate_series(1, 3000) n;
  insert into thread_mutes (account_id, conversation_id) select 'a000001', n * 17 from generate_series(1, 2000) n;
  insert into lists (id, account_id, title) values (1, 'a000001', 'a list');
  insert into list_members (list_id, account_id) select 1, ${account('n')} from generate_series(200, 5000) n;
  insert into blocks (account_id, target_id) select 'a000001', ${account('n')} from generate_series(200, 5000) n;
  insert into mutes (account_id, target_id) select 'a000001', ${account('n')} from generate_series(200, 5000) n;
  insert into reports (id, account_id, comment, category, forward) select 'r' || n, ${account('n')}, '', 'other', false from generate_series(200, 3000) n;
  insert into report_statuses (report_id, status_id) select id, ${some('right(id, 3)::int')} from reports;
  insert into bookmarks (account_id, status_id) select 'a000003', id from statuses where right(id, 2) = '17';
  insert into attachments (account_id, status_id, type, mime_type, remote_url) select author_id, id, 'image', 'image/png', 'https://h.test/f/' || id from statuses where right(id, 1) = '4';
  insert into notifications (receiver_id, type, from_id, status_id, seen, created_at)
  select ${account('n % 100 + 1')}, 'mention', ${account('n % 19000 + 101')}, ${some('n * 2')}, n % 3 > 0, '2020-01-01' from generate_series(1, 50000) n;
  insert into cards (id, url, preview) select n, 'https://y.test/' || n, '{"title":"a page"}' from generate_series(1, 20000) n;
  insert into status_cards (status_id, card_id) select ${some('n * 5')}, n % 20000 + 1 from generate_series(1, 40000) n;
`;

const cutoff = 's000190000';
const slice = Array.from({ length: 100 }, (_, at) => `s${String(60_001 + at).padStart(9, '0')}`);
const accounts = Array.from({ length: 100 }, (_, at) => `a0${25_001 + at}`);
const notifications = Array.from({ length: 100 }, (_, at) => 20_001 + at);

export const plans = [
  { name: 'retention.next_posts', values: ['s000060000', cutoff], isJob: true },
  {
    name: 'retention.next_posts',
    values: ['s000052000', cutoff],
    note: 'Within a thread of 5,000 posts.',
    isJob: true,
  },
  { name: 'retention.lock_posts', values: [slice], isJob: true },
  { name: 'retention.recheck_posts', values: [slice, cutoff], isJob: true },
  { name: 'statuses.lock_forgotten', values: [slice], isJob: true },
  { name: 'statuses.remove_forgotten', values: [slice], isJob: true },
  { name: 'media.remove_of', values: [slice], isJob: true },
  { name: 'retention.next_accounts', values: ['a020500', 30], isJob: true },
  { name: 'retention.remove_accounts', values: [accounts], isJob: true },
  { name: 'retention.next_notifications', values: ['20000', 30], isJob: true },
  { name: 'retention.remove_notifications', values: [notifications], isJob: true },
  { name: 'retention.next_previews', values: ['s000060000', cutoff], isJob: true },
  { name: 'retention.remove_previews', values: [slice], isJob: true },
  { name: 'storage.tables', values: [] },
];

export const timed = [
  { name: 'retention.count_posts', values: ['s000040000', cutoff], isJob: true },
  { name: 'retention.count_accounts', values: ['a020000', 30], isJob: true },
  { name: 'retention.recheck_accounts', values: [accounts, 30], isJob: true },
  { name: 'retention.count_notifications', values: ['20000', 30], isJob: true },
  { name: 'retention.count_previews', values: ['s000060000', cutoff], isJob: true },
];
