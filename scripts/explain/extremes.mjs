// Extremes of size and frequency: 200,000 posts and their lists with every option, 50,000 followers and
// favourites, a thread of 5,000 replies, a list of 5,000 accounts, words and tags in nearly all or nearly no posts.
import { accounts, some, somebody } from '../seeds.mjs';

export const title = 'Extremes';

export const rows =
  '51,000 accounts (500 of them local), 215,000 posts (50,000 of one author, who answers others since the 2,000th, 5 of another, 30 old ones of a server with one account, 5,000 answers in one thread), 50,000 followers of one account and favourites of one post, 5,000 boosts of one, a reader who follows 5,000 and has them on a list, tags on 20,000, 200 and 20 posts, 30 words in each post.';

/** The n-th of the filler accounts. */
const extra = (n) => `'b' || lpad((${n})::text, 5, '0')`;

/** A quarter is by a0003; the rest by a0004 … a0990. */
const authorOf = (n) => `case when (${n}) / 10 % 4 = 0 then 'a0003' else ${somebody(`(${n}) * 7919 % 987 + 4`)} end`;

const words = `(select string_agg('w' || n * k * k % 6007, ' ') from generate_series(1, 25) k)`;

const ANSWERED = `case when n > 100000 and n % 20 = 8 then case when n % 40 = 8 then 3 else n - 20 end
  when n / 10 % 4 = 0 and n > 20000 then n - 13 when n % 10 = 7 and n > 100 then n - 50 end`;

export const seed = `
  ${accounts(1000, 500)}
  update accounts set domain = case id when 'a0998' then 'few.test' when 'a0999' then 'none.test' end where id in ('a0998', 'a0999');
  update accounts set ap_id = 'https://' || domain || '/users/' || id where domain is not null;
  insert into accounts (id, nickname, domain, ap_id)
  select ${extra('n')}, 'b' || n, 'crowd' || n % 500 || '.test', 'https://crowd' || n % 500 || '.test/users/' || n
  from generate_series(1, 50000) n;
  insert into account_stats (account_id) select id from accounts where id > 'b';
  insert into conversations (id, uri) select n, 'https://here.test/c/' || n from generate_series(0, 999) n;
  insert into statuses (id, author_id, uri, visibility, reblog_of_id, in_reply_to_id, in_reply_to_account_id, conversation_id,
    quote_of_id, content_text, local, flags)
  select ${some('n')}, author, 'https://' || coalesce(a.domain, 'here.test') || '/s/' || n,
    case n % 10 when 0 then 2 when 1 then 1 when 2 then case when a.domain is null then 4 else 0 end else 0 end,
    case when n % 10 = 5 and n > 1001 then ${some('n - 1001')} end, ${some('parent')}, ${authorOf('parent')}, n / 400,
    case when n % 10 = 9 and n > 9 then ${some('n - 9')} end,
    case when n % 10 = 5 then '' else 'tea ' || ${words} || case when n % 500 = 1 then ' green samovar' else '' end
      || case when n % 2 = 1 then ' half' else '' end || case when n < 40000 and n % 10000 = 3 then ' unique' else '' end end,
    a.domain is null,
    case n % 10 when 3 then 2 when 4 then case when author <> 'a0003' or n < 200 then 1 else 0 end when 6 then 16 when 7 then 8 else 0 end
  from (select n, ${authorOf('n')} as author, ${ANSWERED} as parent from generate_series(1, 200000) n) written
    join accounts a on a.id = author;
  insert into statuses (id, author_id, uri, visibility, content_text, local)
  select 's000000500-' || n, 'a0998', 'https://few.test/s/' || n, 0, 'tea of few', false from generate_series(1, 30) n;
  insert into statuses (id, author_id, uri, visibility, content_text, local)
  select ${some('n * 40000')} || '-l', 'a0991', 'https://here.test/l/' || n, 0, 'tea of a few', true from generate_series(1, 4) n;
  insert into statuses (id, author_id, uri, visibility, content_text, local)
  select ${some('n * 4')} || '-' || n, ${extra('n % 5000 + 1')}, 'https://crowd' || (n % 5000 + 1) % 500 || '.test/s/' || n, 0, 'tea of many', false
  from generate_series(1, 10000) n;
  insert into statuses (id, author_id, uri, visibility, reblog_of_id, local)
  select 's000150000-' || id, id, 'https://here.test/b/' || id, 0, ${some('9')}, false from accounts where id between 'b05001' and 'b10000';
  insert into status_stats (status_id) select id from statuses;
  insert into mentions (status_id, account_id) select id, in_reply_to_account_id from statuses where flags & 8 <> 0 and in_reply_to_account_id is not null;
  insert into hashtags (id, name) values (1, 'common'), (2, 'often'), (3, 'some'), (4, 'rare');
  insert into hashtags (id, name) select n, 'tag' || n from generate_series(5, 99) n;
  insert into status_hashtags (status_id, hashtag_id)
  select s.id, t.id from statuses s join hashtags t on t.id = 1 or t.id = 2 and right(s.id, 3) < '500'
    or t.id = 3 and right(s.id, 3) = '016' or t.id = 4 and s.id < 's000000200' where s.flags & 16 <> 0;
  insert into pins (status_id, account_id) select id, author_id from statuses where author_id = 'a0003' and flags = 0 order by id limit 5;
  insert into follows (follower_id, followee_id) select id, 'a0001' from accounts where id > 'b';
  insert into follows (follower_id, followee_id) select 'a0002', ${extra('n')} from generate_series(1, 5000) n;
  insert into favourites (account_id, status_id) select id, ${some('199999')} from accounts where id > 'b';
  insert into lists (id, account_id, title) values (1, 'a0002', 'everybody');
  insert into list_members (list_id, account_id, follow_id) select 1, followee_id, id from follows where follower_id = 'a0002';
  insert into home_feed (account_id, status_id, author_id)
  select 'a0002', id, author_id from statuses where author_id between 'b00001' and 'b05000' order by id desc limit 800;
  update users set feed_floor = (select min(status_id) from home_feed) where account_id = 'a0002';
  insert into followed_tags (account_id, hashtag_id) select 'a0002', n from generate_series(2, 4) n;
  insert into blocks (account_id, target_id) select account_id, ${somebody('k * 7 + 4')} from users cross join generate_series(1, 5) k;
  insert into mutes (account_id, target_id) select account_id, ${somebody('k * 11 + 4')} from users cross join generate_series(1, 20) k;
  insert into domain_blocks (account_id, domain) select account_id, 'h' || k || '.test' from users cross join generate_series(1, 5) k;
  insert into thread_mutes (account_id, conversation_id) select account_id, n * 10 from users, generate_series(0, 99) n;
`;

const ME = 'a0002';
const LAST = '9223372036854775807';
const NONE = { muted: false, excluded: [], replies: 0, media: false, local: null, contained: false };

/** Every option of timelines. */
const SWITCHES = {
  nothing: {},
  with_muted: { muted: true },
  'all but direct posts excluded': { excluded: [0, 1, 2, 4, 5] },
  'all but private posts excluded': { excluded: [0, 1, 3, 4, 5] },
  'answers to followed people': { replies: 1 },
  'answers to the reader': { replies: 2 },
  only_media: { media: true },
  local: { local: true },
  remote: { local: false },
  'contained threads': { contained: true },
  'local pictures in answers to the reader': { local: true, media: true, replies: 2 },
};

const bounds = { older: ['~', ''], newer: ['~', ''] };
const values = (viewer, [below, above], filter) => {
  const { muted, excluded, replies, media, local, contained } = { ...NONE, ...filter };
  return [viewer, below, above, muted, excluded, replies, media, local, 40, contained];
};

/** A timeline with each of the options, both ways. */
const everySwitch = (name, more = [], note = '', viewer = ME, place = bounds) =>
  Object.entries(place).flatMap(([direction, bound]) =>
    Object.entries(SWITCHES).map(([label, filter]) => ({
      name: `timelines.${name}.${direction}`,
      // Direct posts ask nothing of threads.
      values: [...values(viewer, bound, filter).slice(0, name === 'direct' ? 9 : 10), ...more],
      note: [note, label].filter(Boolean).join(', '),
    })),
  );

/** The lookups of each account follow a scan that does not fill the page. */
const withLookups = (scans) =>
  scans.flatMap((scan) => [scan, { ...scan, name: scan.name.replace('scan', 'lookups'), unlessFilled: scan.name }]);

const BELOW_FLOOR = { older: ['s000010000', ''], newer: ['s000010000', ''] };

const account = (id, filter, direction = 'older', viewer = ME) => {
  const f = { excluded: [], media: false, reblogs: 0, replies: false, tag: null, ...filter };
  return {
    name: `timelines.account.${direction}`,
    values: [viewer, '~', '', false, f.excluded, id, f.media, f.reblogs, 40, f.replies, f.tag, 0],
  };
};
const ACCOUNT_SWITCHES = {
  nothing: {},
  only_media: { media: true },
  exclude_replies: { replies: true },
  exclude_reblogs: { reblogs: 1 },
  only_reblogs: { reblogs: 2 },
  'tagged with what is common': { tag: 'common' },
  'tagged with what is rare': { tag: 'rare' },
  'tagged with what nobody uses': { tag: 'no' },
  'all but direct posts excluded': { excluded: [0, 1, 2, 4, 5] },
  'pictures without answers and boosts': { media: true, replies: true, reblogs: 1 },
};
const ofAccount = (id, note) =>
  ['older', 'newer'].flatMap((direction) =>
    Object.entries(ACCOUNT_SWITCHES).map(([label, filter]) => ({
      ...account(id, filter, direction),
      note: `${note}, ${label}`,
    })),
  );

const search = (kind, text, { viewer = ME, parts = 0, missing = 0, more = [], direction = 'older' } = {}) => ({
  name: `search.statuses_${kind}.${direction}`,
  values: [viewer, '~', '', text, parts, missing, 40, 0, ...more],
});
const WORDS = {
  'a word that all have': ['tea', {}],
  'a word that all have, asked by an anonymous caller': ['tea', { viewer: '' }],
  'a word that all have, with pictures': ['tea', { parts: 1 }],
  'a word that all have, with links, which none has': ['tea', { parts: 4 }],
  'a word that half have': ['half', {}],
  'a word that half have, with links': ['half', { parts: 4 }],
  'a word of one in 40': ['w7', {}],
  'a word of one in 500': ['samovar', {}],
  'a phrase': ['"green samovar"', {}],
  'a phrase of words that all have, which none has': ['"tea half tea"', {}],
  'a word of four posts': ['unique', {}],
  'a word that nobody uses': ['nowhere', {}],
  'two words': ['samovar half', {}],
  'a word without another': ['tea -half', {}],
  'nothing but a part': [null, { parts: 4 }],
};
const searches = Object.entries(WORDS).flatMap(([label, [text, more]]) => [
  ...['older', 'newer'].map((direction) => ({
    ...search(text === null ? 'recent' : 'words', text, { ...more, direction, more: text === null ? [] : [true] }),
    note: label,
  })),
  { ...search('author', text, { ...more, more: ['a0003'] }), note: `Of who writes most, ${label}` },
]);

const tags = (any, all, none) => [any, all, none];

export const plans = [
  {
    name: 'timelines.public_host.older',
    values: [...values('', ['~', ''], {}), 'few.test'],
    note: 'Of a server with few old posts.',
  },
  {
    name: 'timelines.public_host.older',
    values: [...values(ME, ['~', ''], {}), 'none.test'],
    note: 'Of a server without posts.',
  },
  {
    name: 'timelines.public_host.older',
    values: [...values(ME, ['~', ''], {}), 'h7.test'],
    note: 'Of a server with many posts.',
  },
  { name: 'timelines.public_host.newer', values: [...values(ME, ['~', ''], {}), 'few.test'], note: 'The other way.' },
  { ...account('a0003', { media: true }), note: 'Pictures of who writes most and hardly ever shows any.' },
  { ...account('a0003', { replies: true }), note: 'Of somebody who only answers.' },
  { name: 'pins.of_author', values: ['a0003', ME, [], false, false, null] },
  ...['scan', 'lookups'].flatMap((kind) => [
    { name: `timelines.list.${kind}.older`, values: [...values(ME, ['~', ''], {}), '1'], note: 'Of 5,000 people.' },
    { name: `timelines.home.${kind}.older`, values: values(ME, BELOW_FLOOR.older, {}), note: 'Of 5,000 people.' },
  ]),
  { name: 'statuses.thread', values: [ME, 's000000003', 40, 60], note: 'Of 5,000 answers.' },
  { name: 'statuses.thread', values: [ME, 's000199988', 40, 60] },
  { name: 'favourites.of_status.older', values: [ME, 's000199999', LAST, '0', 40, 0, true, true], note: 'Of 50,000.' },
  {
    name: 'statuses.boosts_of_status.older',
    values: [ME, 's000000009', '~', '', 40, 0, true, true],
    note: 'Of 5,000.',
  },
  { name: 'follows.followers.older', values: ['a0001', LAST, '0', 40, 0, true, true], note: 'Of 50,000.' },
  { name: 'follows.followers.newer', values: ['a0001', LAST, '0', 40, 0, true, true] },
  {
    name: 'follows.followers.older',
    values: ['a0001', LAST, '0', 40, 0, true, false],
    note: 'Those of this server alone.',
  },
  {
    name: 'favourites.of_status.older',
    values: ['', 's000199999', LAST, '0', 40, 0, true, false],
    note: 'By people of this server.',
  },
  { name: 'lists.members.older', values: ['1', LAST, '0', 40, 0], note: 'Of 5,000.' },
  { ...search('words', 'samovar', { more: [true] }), note: 'A word of one in 500 posts.' },
  {
    ...search('words', 'tea', { viewer: '', more: [true] }),
    note: 'A word that all posts have, asked by an anonymous caller.',
  },
];

/** Run but not documented: the same statements have plans elsewhere. */
export const timed = [
  ...everySwitch('public'),
  ...everySwitch('public', [], 'anonymous', ''),
  ...everySwitch('public_host', ['few.test'], 'of a server with few posts'),
  ...everySwitch('public_host', ['h7.test'], 'of a server with many'),
  ...everySwitch('public_local'),
  ...everySwitch('tag', tags(['common'], [], []), 'a common tag'),
  ...everySwitch('tag', tags(['rare'], [], []), 'a rare tag'),
  ...everySwitch('tag', tags(['common'], ['rare'], []), 'a common and a rare one'),
  ...everySwitch('tag', tags(['common'], [], ['common']), 'a common one without itself'),
  ...everySwitch(
    'tag',
    tags(['common', 'often', 'some', 'rare', 'tag5', 'tag6'], ['some'], ['rare']),
    'any, all and none',
  ),
  ...everySwitch('home.feed'),
  ...withLookups(everySwitch('home.scan', [], '', ME, BELOW_FLOOR)),
  ...everySwitch('list.first_look', ['1']),
  ...withLookups(everySwitch('list.scan', ['1'])),
  ...everySwitch('direct'),
  ...ofAccount('a0003', 'Of who writes most'),
  ...ofAccount('a0991', 'Of who wrote five posts'),
  ...searches,
];
