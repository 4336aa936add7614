// Trends: 20,000 hashtags used on each day of a week, 50,000 favourites, and a tenth of the authors discoverable.

export const title = 'Trends';

export const rows =
  '2,000 accounts (a tenth discoverable), 100,000 posts with two of 20,000 tags each, which were all used on each of seven days, 50,000 favourites, every twentieth post a boost.';

export const seed = `
  insert into accounts (id, nickname, domain, ap_id, discoverable)
  select 'a' || lpad(n::text, 4, '0'), 'p' || n, case when n > 100 then 'far.test' end, 'https://here.test/' || n, n % 10 = 0
  from generate_series(1, 2000) n;
  insert into account_stats (account_id) select id from accounts;
  insert into hashtags (id, name) select n, 'tag' || n from generate_series(0, 19999) n;
  insert into statuses (id, author_id, uri, visibility, content_text, local, flags, reblog_of_id)
  select 's' || lpad(n::text, 9, '0'), 'a' || lpad((n * 7919 % 2000 + 1)::text, 4, '0'), 'https://here.test/s/' || n,
    case when n % 5 = 0 then 1 else 0 end, 'post', n % 1000 < 100, 16,
    case when n % 20 = 0 and n > 4000 then 's' || lpad((n - n * 31 % 1000 - 1)::text, 9, '0') end
  from generate_series(2000, 102000) n;
  insert into status_stats (status_id) select id from statuses;
  insert into status_hashtags (status_id, hashtag_id)
  select id, tag from statuses cross join lateral (values
    (right(id, 6)::int % 20000), ((right(id, 6)::int * 7 + 1) % 20000)) t(tag) on conflict do nothing;
  insert into hashtag_days (hashtag_id, day, uses, accounts)
  select id, current_date - ago, 10 + id * 31 % 977, 1 + id * 17 % 499 from hashtags, generate_series(0, 6) ago;
  insert into favourites (account_id, status_id)
  select 'a' || lpad((n * 13 % 2000 + 1)::text, 4, '0'), 's' || lpad((n * 7 % 9973 + 90000)::text, 9, '0')
  from generate_series(1, 50000) n on conflict do nothing;
  insert into blocks (account_id, target_id)
  select 'a0001', id from accounts where id <> 'a0001' order by id desc limit 100;
`;

export const plans = [
  { name: 'trends.tags', values: ['a0001', 20, 0] },
  { name: 'trends.tags', values: ['', 40, 80], note: 'The end of the ranking.' },
  { name: 'trends.statuses', values: ['a0001', '~', 's000050000', false, [], 0, false, null, 20, false, 0] },
  {
    name: 'trends.statuses',
    values: ['', '~', '', false, [], 0, false, null, 40, true, 400],
    note: 'Nothing is left.',
  },
];
