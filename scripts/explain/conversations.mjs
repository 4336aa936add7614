// Direct messages, polls and edits: 1,000 local accounts, of which the first has conversations with all others.

export const title = 'Conversations, polls and earlier revisions';

export const rows =
  '1,000 accounts, 200,000 posts (50,000 of them direct, in 25,000 conversations with 50,000 participants), 20,000 polls with 3 options and 10 votes each, 60,000 earlier revisions.';

export const seed = `
  insert into accounts (id, nickname, ap_id)
  select 'a' || lpad(n::text, 6, '0'), 'n' || n, 'https://x.test/' || n from generate_series(1, 1000) n;
  insert into account_stats (account_id) select id from accounts;
  insert into users (account_id, password_hash) select id, '' from accounts;
  insert into conversations (id, uri) select n, 'https://x.test/c/' || n from generate_series(1, 25000) n;
  insert into statuses (id, author_id, uri, visibility, conversation_id, flags, local)
  select 's' || lpad(n::text, 8, '0'),
    'a' || lpad((case when n % 16 = 0 then 1 when n % 4 = 0 then n % 1000 + 1 else n * 7 % 1000 + 1 end)::text, 6, '0'),
    'https://x.test/s/' || n, case when n % 4 = 0 then 3 else 0 end, case when n % 4 = 0 then n / 8 % 25000 + 1 end,
    case when n % 4 = 0 then 8 when n % 10 = 1 then 2 else 0 end, true
  from generate_series(1, 200000) n;
  insert into status_stats (status_id) select id from statuses;
  insert into mentions (status_id, account_id)
  select id, case author_id when 'a000001' then 'a' || lpad((conversation_id % 999 + 2)::text, 6, '0') else 'a000001' end
  from statuses where visibility = 3;
  insert into conversation_participants (account_id, conversation_id, last_status_id, participants, unread)
  select person, conversation_id, max(id), array[person, 'a000002'], conversation_id % 50 = 0 from (
    select id, conversation_id, author_id as person from statuses where visibility = 3
    union select s.id, s.conversation_id, m.account_id from statuses s join mentions m on m.status_id = s.id) party
  group by person, conversation_id;
  insert into polls (status_id, expires_at) select id, now() + interval '1 day' from statuses where flags = 2;
  insert into poll_options (poll_id, position, title) select id, n, 'o' || n from polls, generate_series(0, 2) n;
  insert into poll_votes (poll_id, account_id, choices)
  select id, 'a' || lpad((id * 13 % 900 + n)::text, 6, '0'), array[n % 3] from polls, generate_series(1, 10) n;
  insert into status_edits (status_id, content_html, spoiler, sensitive, created_at)
  select id, 'x', '', false, now() from statuses, generate_series(1, 3) where right(id, 1) = '3';
`;

const ME = 'a000001';

export const plans = [
  {
    name: 'conversations.page.older',
    values: [ME, '~', '', null, 40, 0],
    note: 'Of an account with thousands of them.',
  },
  { name: 'conversations.page.older', values: [ME, 's00100000', '', null, 40, 0], note: 'Further down.' },
  { name: 'conversations.page.older', values: [ME, '20000', '', null, 40, 0], note: 'Below a row.' },
  { name: 'conversations.unread', values: [ME] },
  { name: 'conversations.read_up_to', values: [ME, '~'], note: 'All that was unread: it writes 500 rows.' },
  { name: 'conversations.join', values: ['s00000016'] },
  { name: 'conversations.statuses.older', values: [ME, '7', '~', '', false, 40] },
  { name: 'timelines.direct.older', values: [ME, '~', '', false, [], 0, false, null, 40] },
  { name: 'polls.visible', values: [ME, '77'] },
  { name: 'polls.count_words', values: [], isJob: true },
  { name: 'edits.history', values: ['s00000013'] },
];
