// Follows, blocks and mutes: 1,000 accounts, of which a0001 … a0100 are local, and 100,000 relations.

export const title = 'Relations between accounts';

export const rows =
  '1,000 accounts (100 of them local), 80,000 follows, 9,500 blocks, 9,500 mutes, 1,000 blocked domains, 800 endorsements, 9,000 notes, 20 suggestions.';

const ACCOUNTS = `
  insert into accounts (id, nickname, domain, ap_id, url, display_name, discoverable)
  select id, id, domain, 'https://' || coalesce(domain, 'here.test') || '/users/' || id,
    'https://' || coalesce(domain, 'here.test') || '/@' || id, 'Person ' || id, n % 2 = 0
  from (select n, 'a' || lpad(n::text, 4, '0') as id, case when n > 100 then 'h' || n % 50 || '.test' end as domain
        from generate_series(1, 1000) n) made;
  insert into account_stats (account_id, last_status_at)
  select id, timestamptz '2026-01-01' + (right(id, 4)::int * 7919 % 1000) * interval '1 hour' from accounts;
  insert into users (account_id, password_hash) select id, '' from accounts where domain is null;
`;

/** Each account with `count` others, the same ones in every run. */
const pairs = (count, step) => `
  select f.id as one, lpad(((f.n + k * ${step}) % 1000 + 1)::text, 4, '0') as other, k
  from (select id, right(id, 4)::int as n from accounts) f cross join generate_series(1, ${count}) k`;

export const seed = `
  ${ACCOUNTS}
  insert into follows (follower_id, followee_id, state, notify)
  select one, 'a' || other, case when k % 20 = 0 then 0 else 1 end, k % 10 = 0 from (${pairs(80, 7)}) p
  where one <> 'a' || other on conflict do nothing;
  insert into blocks (account_id, target_id) select one, 'a' || other from (${pairs(10, 11)}) p
  where one <> 'a' || other and k <= 9 + right(one, 1)::int % 2 on conflict do nothing;
  insert into mutes (account_id, target_id) select one, 'a' || other from (${pairs(10, 13)}) p
  where one <> 'a' || other and k <= 9 + right(one, 1)::int % 2 on conflict do nothing;
  insert into domain_blocks (account_id, domain)
  select a.id, 'h' || k || '.test' from accounts a cross join generate_series(1, 10) k where a.domain is null;
  insert into suggested_accounts (account_id) select id from accounts order by id desc limit 20;
  insert into account_notes (account_id, target_id, comment) select one, 'a' || other, 'a note' from (${pairs(9, 17)}) p;
  insert into endorsements (account_id, target_id)
  select follower_id, followee_id from (
    select f.*, row_number() over (partition by follower_id order by f.id) as n from follows f
    join users u on u.account_id = f.follower_id where state = 1) mine where n <= 8;
`;

const ME = 'a0001';
const LAST = '9223372036854775807';
const MANY = Array.from({ length: 40 }, (_, n) => `a${String(n * 20 + 2).padStart(4, '0')}`);

export const plans = [
  { name: 'relationships.facts', values: [ME, MANY], note: 'Of 40 accounts.' },
  { name: 'follows.followers.older', values: [ME, LAST, '0', 40, 0, true, true] },
  { name: 'follows.following.older', values: [ME, LAST, '0', 40, 0, true, true] },
  { name: 'follows.requests.older', values: [ME, LAST, '0', 40, 0, true, true] },
  { name: 'blocks.list.older', values: [ME, LAST, '0', 40, 0, true, true] },
  { name: 'mutes.list.older', values: [ME, LAST, '0', 40, 0, true, true] },
  { name: 'endorsements.list.older', values: [ME, LAST, '0', 40, 0, true, true] },
  { name: 'domain_blocks.list.older', values: [ME, LAST, '0', 40, 0] },
  { name: 'follows.familiar', values: [ME, MANY, 2000], note: 'For 40 accounts at once.' },
  { name: 'follows.accept_waiting', values: [ME, 100], isJob: true },
  { name: 'follows.facts', values: [ME, 'a0500'], note: 'Whether somebody may follow somebody.' },
  { name: 'follows.count_with_server', values: [ME, 'h1.test', 10_000] },
  {
    name: 'follows.followers_with_server',
    values: [ME, 'h1.test', '0', 500],
    note: 'A step of the job after a domain was blocked.',
  },
  { name: 'follows.end_of_domain', values: [ME, 'h1.test', ['1', '2', '3']] },
  { name: 'accounts.directory_active_anywhere', values: [ME, 40, 0] },
  { name: 'accounts.directory_active_here', values: [ME, 40, 0] },
  { name: 'accounts.directory_new_anywhere', values: [ME, 40, 40] },
  { name: 'suggestions.list', values: [ME, 40] },
  { name: 'accounts.by_uri', values: ['https://h1.test/@a0201'] },
];
