// Timelines of lists and hashtags, and home with both: 1,000 accounts, 100,000 posts, each tenth with two tags.

export const title = 'Lists, hashtags, and home with both';

export const rows =
  '1,000 accounts, 100,000 posts (a tenth with two of 101 tags, one of them on all these), 200 followees, 3 followed tags, 100 feeds of 800 lines, a list of 50 people and an exclusive one of 10.';

export const seed = `
  insert into accounts (id, nickname, domain, ap_id)
  select 'a' || lpad(n::text, 4, '0'), 'p' || n, case when n > 100 then 'far.test' end, 'https://here.test/' || n
  from generate_series(1, 1000) n;
  insert into account_stats (account_id) select id from accounts;
  insert into users (account_id, password_hash) select id, '' from accounts where domain is null;
  insert into follows (follower_id, followee_id) select 'a0001', id from accounts where id <> 'a0001' order by id limit 200;
  insert into hashtags (id, name) select n, 'tag' || n from generate_series(0, 100) n;
  insert into statuses (id, author_id, uri, visibility, content_text, local, flags)
  select 's' || lpad(n::text, 9, '0'), 'a' || lpad((n * 7919 % 1000 + 1)::text, 4, '0'), 'https://here.test/s/' || n,
    case when n % 5 = 0 then 1 else 0 end, 'post', n % 1000 < 100, case when n % 10 = 1 then 16 else 0 end
  from generate_series(1, 100000) n;
  insert into status_stats (status_id) select id from statuses;
  insert into status_hashtags (status_id, hashtag_id)
  select id, tag from statuses cross join lateral (values (0), (1 + right(id, 6)::int / 10 % 100)) t(tag) where flags = 16;
  insert into cards (id, url, preview) overriding system value values (1, 'https://pages.test/', '{}');
  insert into status_cards (status_id, card_id, revision) select id, 1, 0 from statuses where right(id, 2)::int in (4, 14, 24, 34, 44);
  update statuses set flags = flags | 4 where id in (select status_id from status_cards);
  update accounts set discoverable = right(id, 2) = '07';
  insert into followed_tags (account_id, hashtag_id) select 'a0001', n from generate_series(1, 3) n;
  insert into home_feed (account_id, status_id, author_id)
  select 'a0001', s.id, s.author_id from statuses s join follows f on f.followee_id = s.author_id order by s.id desc limit 800;
  insert into home_feed (account_id, status_id, author_id)
  select u.account_id, h.status_id, h.author_id from users u cross join home_feed h where u.account_id <> 'a0001';
  update users set feed_floor = (select min(status_id) from home_feed) where account_id = 'a0001';
  insert into lists (account_id, title, exclusive) values ('a0001', 'people', false), ('a0001', 'apart', true);
  insert into list_members (list_id, account_id, follow_id)
  select 1, followee_id, id from follows order by id limit 50;
  insert into list_members (list_id, account_id, follow_id)
  select 2, followee_id, id from follows order by id desc limit 10;
`;

const PAGE = ['a0001', '~', '', false, [], 0, false, null, 20, false];
const BELOW = ['a0001', 's000050000', '', false, [], 0, false, null, 20, false];

export const plans = [
  { name: 'timelines.home.feed.older', values: PAGE },
  { name: 'timelines.home.scan.older', values: BELOW, note: 'Below the floor of the feed.' },
  {
    name: 'timelines.home.lookups.older',
    values: ['a0001', 's000050000', '', false, [], 0, true, null, 20, false],
    note: 'Below the floor, pictures, which there are none of: asked of each followee and each tag.',
  },
  { name: 'timelines.list.scan.older', values: [...PAGE, '1'] },
  { name: 'timelines.tag.older', values: [...PAGE, ['tag0'], [], []], note: 'A tag with 10,000 posts.' },
  { name: 'timelines.tag.older', values: [...PAGE, ['tag1', 'tag2'], ['tag0'], ['tag3']] },
  {
    name: 'timelines.link.older',
    values: [...PAGE, 'https://pages.test/'],
    note: 'A page that 5,000 posts show, few of them by discoverable authors.',
  },
  { name: 'lists.members.older', values: ['1', '9223372036854775807', '0', 40, 0] },
  { name: 'feed.fan_out_tags', values: ['s000000011', 'a0010', '0'] },
  { name: 'tags.recount', values: ['s000098000', '2020-01-01'], note: 'All posts are of today here.' },
  { name: 'tags.mark_unused', values: ['0'], isJob: true },
  { name: 'tags.lock_unused', values: [], isJob: true },
];
