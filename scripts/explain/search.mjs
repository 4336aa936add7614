// Accounts by name: 100,000, of which 100 are local and follow 200 others each; posts by their words and
// address: 100,000 by 5,000 accounts; hashtags by prefix.

export const title = 'Searches';

export const rows =
  '100,000 accounts (100 of them local), one in 26 of a name, 20,000 follows, 10,000 blocks, 2,000 blocked domains, 100,000 posts, 10,000 hashtags.';

export const seed = `
  insert into accounts (id, nickname, domain, ap_id, display_name)
  select id, chr(97 + n % 26) || 'nna' || n, case when n > 100 then 'h' || n % 500 || '.test' end, 'https://x.test/' || id,
    chr(65 + n % 26) || 'nna ' || chr(65 + n / 26 % 26) || 'erg' || n % 1000
  from (select n, 'a' || lpad(n::text, 6, '0') as id from generate_series(1, 100000) n) made;
  insert into account_stats (account_id, followers_count) select id, right(id, 3)::int from accounts;
  insert into users (account_id, password_hash) select id, '' from accounts where domain is null;
  insert into follows (follower_id, followee_id)
  select u.account_id, 'a' || lpad((right(u.account_id, 3)::int * 31 + k * 97)::text, 6, '0')
  from users u cross join generate_series(1, 200) k;
  insert into blocks (account_id, target_id)
  select u.account_id, 'a' || lpad((right(u.account_id, 3)::int * 37 + k * 101)::text, 6, '0')
  from users u cross join generate_series(1, 100) k;
  insert into domain_blocks (account_id, domain) select u.account_id, 'h' || k * 7 || '.test'
  from users u cross join generate_series(1, 20) k;
  insert into statuses (id, author_id, uri, url, visibility, content_text, local)
  select 's' || lpad(n::text, 6, '0'), 'a' || lpad((1 + n % 5000)::text, 6, '0'), 'https://x.test/objects/' || n,
    'https://x.test/@x/' || n, case when n % 5 = 0 then 2 else 0 end,
    'tea' || case when n % 500 = 0 then ' samovar' else '' end || ' word' || n % 1000 || case when n % 10 = 1 and n < 90000 or n % 40 = 1 then ' early' else '' end || ' word' || n % 777, n % 5000 < 100
  from generate_series(1, 100000) n;
  insert into status_stats (status_id) select id from statuses;
  insert into hashtags (name) select 'tag' || n from generate_series(1, 10000) n;
  insert into status_hashtags select s.id, h.id from statuses s join hashtags h on h.id = 1 + right(s.id, 4)::int;
  insert into hashtag_days select id, current_date - d, id % 7, id % 5 from hashtags, generate_series(0, 6) d;
`;

const ME = 'a000001';
const names = (text) => [text, null, [`${text}%`, `% ${text}%`]];

export const plans = [
  {
    name: 'search.accounts',
    values: [ME, ...names('anna'), false, '', 40, 0, true, true],
    note: 'A name that thousands have.',
  },
  {
    name: 'search.accounts',
    values: [ME, ...names('b'), false, '', 40, 0, true, true],
    note: 'One letter.',
  },
  {
    name: 'search.accounts',
    values: ['', 'anna26', 'h2%', [], false, '', 40, 0, true, true],
    note: 'A handle, not typed to its end.',
  },
  {
    name: 'search.statuses_recent.older',
    values: [ME, '~', '', null, 1, 0, 40, 0],
    note: 'Pictures, of which there are none.',
  },
  {
    name: 'search.statuses_words.older',
    values: [ME, '~', '', 'tea', 0, 0, 40, 0, true],
    note: 'A word that all posts have.',
  },
  {
    name: 'search.statuses_words.older',
    values: [ME, '~', '', 'early', 0, 0, 40, 0, true],
    note: 'A word that many posts have, but few of the newest: a part of time.',
  },
  { name: 'search.statuses_words.older', values: [ME, '~', '', 'samovar', 0, 0, 40, 0, true] },
  {
    name: 'search.statuses_words.older',
    values: ['', '~', '', '"word1 word1"', 0, 0, 40, 0, true],
    note: 'A phrase, asked by an anonymous caller.',
  },
  {
    name: 'search.statuses_words.older',
    values: [ME, '~', '', '-tea', 0, 0, 40, 0, true],
    note: 'Nothing that is indexed.',
  },
  { name: 'search.statuses_author.older', values: [ME, '~', '', 'samovar', 0, 0, 40, 0, 'a000301'] },
  { name: 'search.status_at', values: [ME, 'https://x.test/@x/4711', ''] },
  { name: 'search.tags', values: ['tag1', 20, 0], note: 'A beginning that a thousand have.' },
];
