// Finding accounts by name: 100,000 accounts, of which 100 are local and follow 200 others each.

export const title = 'Searches';

export const rows =
  '100,000 accounts (100 of them local), one in 26 of a name, 20,000 follows, 10,000 blocks, 2,000 blocked domains.';

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
`;

const ME = 'a000001';
const names = (text) => [`${text}%`, null, [`${text}%`, `% ${text}%`]];

export const plans = [
  { name: 'search.accounts', values: [ME, ...names('anna'), false, '', 40, 0], note: 'A name that thousands have.' },
  { name: 'search.accounts', values: [ME, ...names('b'), false, '', 40, 0], note: 'One letter.' },
  {
    name: 'search.accounts',
    values: ['', 'anna26', 'h2%', [], false, '', 40, 0],
    note: 'A handle, not typed to its end.',
  },
];
