// Accounts with very many followers, readers with very many followees, lists of people who write little, and names of
// 110,000 accounts.

export const title = 'Big accounts';

export const rows =
  '50,200 local accounts with 20 rows of a feed each, 60,000 accounts on 2,000 servers, 360,000 posts, one of them with 10,000 reactions; authors with 50,000 local followers, with 20,000 remote ones, and with both; readers who follow 5,000 and 20,000; lists of 5,000, of 200 and of 20 people, none of whom wrote one of the newest 20,000 posts.';

const here = (n) => `'l' || lpad((${n})::text, 5, '0')`;
const elsewhere = (n) => `'r' || lpad((${n})::text, 5, '0')`;
const some = (n) => `'s' || lpad((${n})::text, 9, '0')`;

const NAMES = `array['anna','ben','carla','dario','elif','fritz','greta','hans','ines','jonas','karin','lars','mia','nils',
  'olga','paul','quentin','rosa','sven','tara','ulla','viktor','wanda','xaver','yara','zeno']`;

const PLACES = `array['river','hill','forest','harbour','market','garden','tower','bridge','mill','valley','lake']`;

const nicknameOf = (n) => `(${NAMES})[(${n}) % 26 + 1] || '_' || ${n}`;

const nameOf = (n) => `initcap((${NAMES})[(${n}) % 26 + 1]) || ' of the ' || (${PLACES})[(${n}) / 26 % 11 + 1]`;

/** The newest 20,000 posts are of 100 people whom the readers do not follow; the others write in turn. */
const authorOf = (n) => `case when ${n} > 280000 or ${n} % 3 = 0 then ${elsewhere(`50001 + ${n} % 100`)}
  else ${elsewhere(`${n} % 20000 * 7919 % 20000 + 1`)} end`;

export const seed = `
  insert into accounts (id, nickname, domain, ap_id, display_name)
  select ${here('n')}, ${nicknameOf('n')}, null, 'https://here.test/users/' || n, ${nameOf('n')} from generate_series(1, 50200) n;
  insert into accounts (id, nickname, domain, ap_id, display_name, inbox_url, shared_inbox_url)
  select ${elsewhere('n')}, ${nicknameOf('n')}, host, 'https://' || host || '/users/' || n, ${nameOf('n')},
    'https://' || host || '/users/' || n || '/inbox', case when n % 10 > 0 then 'https://' || host || '/inbox' end
  from (select n, 'h' || n % 2000 || '.test' as host from generate_series(1, 60000) n) far;
  insert into account_stats (account_id) select id from accounts;
  insert into hosts (host, reached_at) select distinct domain, now() from accounts where domain is not null;
  insert into users (account_id, password_hash, email) select id, '', id || '@mail.test' from accounts where domain is null;
  insert into statuses (id, author_id, uri, visibility, content_text, local)
  select ${some('n')}, ${authorOf('n')}, 'https://far.test/s/' || n, 0, 'post', false from generate_series(1, 300000) n;
  insert into statuses (id, author_id, uri, visibility, content_text, local)
  select ${some('n * 900')} || '-' || m, ${elsewhere('m')}, 'https://far.test/q/' || n || '-' || m, 0, 'post', false
  from generate_series(1, 300) n, generate_series(1, 200) m;
  insert into statuses (id, author_id, uri, visibility, content_text, local)
  select 's000300000-' || n, ${here('n')}, 'https://here.test/s/' || n, 0, 'post', true from generate_series(1, 4) n;
  insert into statuses (id, author_id, uri, visibility, local, reblog_of_id)
  values ('s000300000-5', ${here('2')}, 'https://here.test/s/5', 0, true, 's000300000-1');
  insert into status_stats (status_id) select id from statuses;
  insert into follows (follower_id, followee_id)
  select distinct ${here('n')}, ${elsewhere('(n * 31 + k * 1009) % 20000 + 1')} from generate_series(101, 50200) n, generate_series(1, 5) k;
  insert into follows (follower_id, followee_id) select ${here('n')}, ${here('1')} from generate_series(101, 50100) n;
  insert into follows (follower_id, followee_id) select ${elsewhere('n')}, ${here('2')} from generate_series(1, 2000) n;
  insert into follows (follower_id, followee_id) select ${elsewhere('n')}, ${here('3')} from generate_series(1, 20000) n;
  insert into follows (follower_id, followee_id)
  select case when n % 7 < 5 then ${here('101 + n')} else ${elsewhere('n / 7 * 2 + n % 7 - 4')} end, ${here('4')} from generate_series(1, 70000) n where n % 7 >= 5 or n < 50000;
  insert into follows (follower_id, followee_id) select ${here('5')}, ${elsewhere('n')} from generate_series(1, 5000) n;
  insert into follows (follower_id, followee_id) select ${here('6')}, ${elsewhere('n')} from generate_series(1, 20000) n;
  update account_stats set followers_count = 20000 where account_id = ${here('3')};
  insert into lists (id, account_id, title)
  select n, ${here('6')}, 'of ' || n from unnest(array[20, 200, 5000]) n;
  insert into list_members (list_id, account_id, follow_id)
  select l.id, f.followee_id, f.id from lists l join follows f on f.follower_id = ${here('6')} and right(f.followee_id, 5)::int <= l.id;
  insert into reactions (status_id, account_id, name)
  select 's000300000-2', ${here('n')}, 'e' || n % 20 from generate_series(1001, 11000) n;
  insert into home_feed (account_id, status_id, author_id)
  select ${here('n')}, ${some('k * 10000 + n')}, ${authorOf('(k * 10000 + n)')} from generate_series(101, 50200) n, generate_series(1, 20) k;
  insert into home_feed (account_id, status_id, author_id)
  select f.follower_id, s.id, s.author_id from follows f join statuses s on s.author_id = f.followee_id
  where f.follower_id in (${here('5')}, ${here('6')}) and s.id > ${some('270000')};
  delete from home_feed h using (select account_id, status_id, row_number() over (partition by account_id order by status_id desc) as place
    from home_feed where account_id in (${here('5')}, ${here('6')})) p
  where p.place > 800 and h.account_id = p.account_id and h.status_id = p.status_id;
  update users u set feed_floor = (select min(h.status_id) from home_feed h where h.account_id = u.account_id)
  where account_id in (${here('5')}, ${here('6')});
  update accounts set moved_to_id = ${here('2')} where id = ${here('1')};
`;

/** A page of a timeline without options: viewer, below, above. */
const page = (viewer, below = '~', above = '') => [viewer, below, above, false, [], 0, false, null, 40, false];

const [POPULAR, FAR, FARTHER, BOTH] = ['l00001', 'l00002', 'l00003', 'l00004'];
const [READER, EAGER] = ['l00005', 'l00006'];
const NEWEST = 's000300001';
const BELOW_FLOOR = 's000250000';
const NEAR_FLOOR = 's000279000';

const sent = (author) => {
  const activity = ['https://here.test/activity', author, 'Create', null, '{}', 'object'];
  const audience = [[author], null, [], true, 'here.test', true, [], [], false, false, [], []];
  return [...activity, ...audience, null, null, false, false];
};
const search = (viewer, text) => {
  const pattern = text.replaceAll('_', '\\_');
  return [viewer, text, null, [`${pattern}%`, `% ${pattern}%`], false, '', 20, 0, true, true];
};
/** Followers of the popular author, whose home is open in their apps. */
const LISTENERS = Array.from({ length: 500 }, (_, n) => `l${String(n + 101).padStart(5, '0')}`);
const fanOut = (author, n) => [[`s000300000-${n}`], [author], [null], [0], ['0']];

export const plans = [
  { name: 'outbox.has_receivers', values: ['s000300000-1'], note: 'A post for 50,000 local followers.' },
  { name: 'outbox.has_receivers', values: ['s000300000-4'], note: 'For 50,000 local and 20,000 remote ones.' },
  { name: 'outbox.insert', values: sent(POPULAR), note: 'For 50,000 local followers.' },
  { name: 'outbox.insert', values: sent(FAR), note: 'For 2,000 remote followers.', isJob: true },
  { name: 'feed.fan_out.5000', values: fanOut(BOTH, 4), isJob: true },
  { name: 'feed.withdraw', values: ['s000300000-1', POPULAR, [], '0'], isJob: true },
  { name: 'feed.rebuild', values: [EAGER, BELOW_FLOOR], note: 'Of 20,000 followees.', isJob: true },
  { name: 'timelines.home.feed.older', values: page(EAGER), note: 'Of 20,000 followees.' },
  { name: 'timelines.home.feed.older', values: page(EAGER, '~', NEWEST), note: 'A poll for what is new.' },
  { name: 'timelines.home.scan.older', values: page(READER, BELOW_FLOOR), note: 'Of 5,000 followees.' },
  { name: 'timelines.list.first_look.older', values: [...page(EAGER), '200'], note: 'Of 200 people who write little.' },
  { name: 'timelines.list.first_look.older', values: [...page(EAGER), '5000'], note: 'Of 5,000 people.' },
  { name: 'streaming.followers_of', values: [[POPULAR], 1000], note: 'Of 50,000 followers.' },
  { name: 'follows.movable_followers', values: [POPULAR, '0', 500, FAR], note: 'Of 50,000 followers.', isJob: true },
  { name: 'follows.familiar', values: [EAGER, ['r00007'], 2000], note: 'Of 20,000 followees, for one account.' },
  {
    name: 'federation.followers',
    values: [POPULAR, '9223372036854775807', 11, 0, true, true],
    note: 'A page of 50,000 followers.',
  },
  {
    name: 'federation.followers',
    values: [POPULAR, '9223372036854775807', 11, 0, false, true],
    note: 'Those of other servers alone, where there are none.',
  },
  {
    name: 'federation.followers_on_host',
    values: [FARTHER, 'h7.test'],
    note: 'Of 20,000 remote followers, ten there.',
  },
  { name: 'search.accounts', values: search(READER, 'anna'), note: 'A name that 4,000 accounts have.' },
  { name: 'search.accounts', values: search(READER, 'anna_26'), note: 'A name that few accounts have.' },
  { name: 'search.accounts', values: search('', 'h'), note: 'One letter, which 13,000 accounts have.' },
];

/** Run but not documented. */
export const timed = [
  { name: 'streaming.repeated', values: [LISTENERS.map(() => 's000300000-5'), LISTENERS], note: 'For 500 listeners.' },
  { name: 'streaming.unwanted', values: [['s000300000-1'], LISTENERS, true], note: 'For 500 listeners.' },
  { name: 'streaming.off_home', values: [['s000300000-1'], LISTENERS, [], []], note: 'For 500 listeners.' },
  { name: 'statuses.viewer_states', values: [[], [], ['s000300000-1'], [null], [POPULAR], [0], LISTENERS, [1]] },
  {
    name: 'statuses.viewer_states',
    values: [LISTENERS, LISTENERS.map(() => 1), ['s000300000-2'], [null], [FAR], [1 << 11], LISTENERS, [10_000]],
    note: 'Of a post with 10,000 reactions, for 500 listeners.',
  },
  { name: 'timelines.home.feed.newer', values: page(EAGER, '~', NEWEST) },
  { name: 'timelines.home.feed.older', values: page(EAGER, NEAR_FLOOR), note: 'With few rows left.' },
  { name: 'timelines.home.scan.newer', values: page(READER, '~', BELOW_FLOOR) },
  { name: 'timelines.list.first_look.newer', values: [...page(EAGER), '200'] },
  { name: 'timelines.list.first_look.older', values: [...page(EAGER), '20'], note: 'Of 20 people who write little.' },
  { name: 'timelines.list.first_look.newer', values: [...page(EAGER), '5000'], note: 'Of 5,000 people.' },
];
