import type { AccountJson } from '../../../src/accounts/index.js';
import type { ChatJson } from '../../../src/chats/index.js';
import { SettingsService } from '../../../src/config/index.js';
import { type Cast, type Member, startCast } from '../../support/federation/servers.js';
import { ok } from '../../support/fixtures/statuses.js';
import { addEmoji } from '../../support/fixtures/emoji.js';
import { picture } from '../../support/fixtures/media-files.js';
import { sendFile, upload, type Uploaded } from '../../support/fixtures/uploads.js';

/**
 * Policies on chat messages, answers, profiles and reports; `ways-and-policies.spec.ts` has the posts of other servers,
 * `local-ways.spec.ts` most of what people of this server write.
 */
const CHATS = '/api/v1/svc/chats';
const WORD = 'coffee';

let pair: Cast;
let alice: Member;
let carol: Member;
let bob: Member;
let erin: Member;

beforeAll(async () => {
  pair = await startCast();
  ({ alice, carol, bob, erin } = pair);
  await bob.follow(carol);
  await pair.settle();
});
afterAll(() => pair.close());

type Values = Readonly<Record<string, unknown>>;
const changed: string[] = [];
async function set(values: Values): Promise<void> {
  changed.push(...Object.keys(values));
  await pair.beta.get(SettingsService).update(Object.entries(values).map(([path, value]) => ({ path, value })));
}
afterEach(async () => {
  for (const path of changed.splice(0)) await pair.beta.get(SettingsService).reset(path);
  await pair.beta.sql('delete from chats');
});

async function say(from: Member, to: Member, values: Values): Promise<number> {
  const { id } = await ok<ChatJson>(from.post(`${CHATS}/by-account-id/${await from.idOf(to)}`));
  const { status } = await from.post(`${CHATS}/${id}/messages`, values);
  await pair.settle();
  return status;
}
const chatsOf = async (owner: Member) =>
  (await ok<ChatJson[]>(owner.get(CHATS))).flatMap(({ last_message: last }) => (last ? [last] : []));

/** Policies of beta that refuse what alice says about coffee, but not what carol says about tea. */
const REFUSING: readonly [name: string, settings: () => Values][] = [
  ['KeywordPolicy', () => ({ 'mrf.policies': ['KeywordPolicy'], 'mrf_keyword.reject': [WORD] })],
  [
    'UserAllowListPolicy',
    () => ({ 'mrf.policies': ['UserAllowListPolicy'], 'mrf_user_allowlist.actors': [carol.uri] }),
  ],
  [
    'a SubchainPolicy with DropPolicy',
    () => ({ 'mrf.policies': ['SubchainPolicy'], 'mrf.subchains': [['~r/alice$/', ['DropPolicy']]] }),
  ],
];

const isThere = async (post: { uri: string }) =>
  (await pair.beta.sql('select from statuses where uri = $1', [post.uri])).length > 0;

it.each(REFUSING)('%s refuses a chat message of another server', async (_name, settings) => {
  const arrives = async () => {
    await say(alice, bob, { content: WORD });
    return (await chatsOf(bob)).length > 0;
  };
  expect(await arrives()).toBe(true);
  await pair.beta.sql('delete from chats');
  await set(settings());
  expect(await arrives()).toBe(false);
});

describe('KeywordPolicy refuses texts of local users:', () => {
  it.each<[what: string, write: () => Promise<number>]>([
    ['a content warning', async () => (await bob.post('/api/v1/statuses', { status: 'x', spoiler_text: WORD })).status],
    [
      'the option of a poll',
      async () => {
        const poll = { options: ['tea', WORD], expires_in: 3_600 };
        return (await bob.post('/api/v1/statuses', { status: 'which?', poll })).status;
      },
    ],
    ['a chat message to another server', () => say(bob, alice, { content: `more ${WORD}` })],
  ])('%s', async (_what, write) => {
    await set({ 'mrf.policies': ['KeywordPolicy'], 'mrf_keyword.reject': [WORD] });
    expect(await write()).toBe(422);
    expect(await chatsOf(bob)).toEqual([]);
  });
});

describe('a chat message of another server', () => {
  it('gets another text by KeywordPolicy', async () => {
    await set({ 'mrf.policies': ['KeywordPolicy'], 'mrf_keyword.replace': [[WORD, 'a cup']] });
    await say(alice, bob, { content: `more ${WORD} & milk` });
    expect(await chatsOf(bob)).toMatchObject([{ content: 'more a cup &amp; milk' }]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['SimplePolicy', () => set({ 'mrf_simple.media_removal': ['127.0.0.1'] })],
    ['a tag of its author', () => tag(alice, ['mrf_tag:media-strip'])],
  ])('loses its file by %s', async (_by, restrict) => {
    const { id } = await upload(pair.alpha, 'alice');
    await restrict();
    await say(alice, bob, { content: 'look', media_id: id });
    await say(alice, bob, { media_id: (await upload(pair.alpha, 'alice')).id });
    expect(await chatsOf(bob)).toMatchObject([{ content: 'look', attachment: null }]);
    await tag(alice, []);
  });

  it('loses a custom emoji by EmojiPolicy', async () => {
    for (const name of ['tea', 'milk']) await addEmoji(pair.alpha, name);
    await set({ 'mrf.policies': ['EmojiPolicy'], 'mrf_emoji.remove_shortcode': ['tea'] });
    await say(alice, bob, { content: ':tea: :milk:' });
    expect(await chatsOf(bob)).toMatchObject([{ emojis: [{ shortcode: 'milk' }] }]);
  });

  it('is refused by KeywordPolicy for the description of its file', async () => {
    const { body } = await sendFile(pair.alpha, 'alice', await picture(), { description: `more ${WORD}` });
    await set({ 'mrf.policies': ['KeywordPolicy'], 'mrf_keyword.reject': [WORD] });
    await say(alice, bob, { content: 'look', media_id: (body as Uploaded).id });
    expect(await chatsOf(bob)).toEqual([]);
  });

  it('arrives only at followers of its author under the followers_only of SimplePolicy', async () => {
    await set({ 'mrf_simple.followers_only': ['127.0.0.1'] });
    for (const person of [bob, erin]) await say(alice, person, { content: 'tea' });
    expect([(await chatsOf(bob)).length, (await chatsOf(erin)).length]).toEqual([1, 0]);
  });

  it('does not arrive where RejectNonPublic refuses direct messages', async () => {
    await set({ 'mrf.policies': ['RejectNonPublic'] });
    await say(alice, bob, { content: 'tea' });
    expect(await chatsOf(bob)).toEqual([]);
  });
});

const tag = (who: Member, tags: readonly string[]) =>
  pair.beta.sql('update accounts set tags = $2 where ap_id = $1', [who.uri, tags]);

it.each([
  ['boosted', async (id: string) => carol.post(`/api/v1/statuses/${id}/reblog`)],
  ['quoted', async (id: string) => carol.post('/api/v1/statuses', { status: 'see', quote_id: id })],
])('a stored post of an author that is refused now is not shown when it is %s', async (_how, act) => {
  const post = await pair.write(alice, 'tea of before');
  const before = await bob.home();
  await set({ 'mrf.policies': ['UserAllowListPolicy'], 'mrf_user_allowlist.actors': [carol.uri] });
  await act(post.id);
  await pair.settle();
  const ids = before.map(({ id }) => id);
  const shown = (await bob.home()).filter(({ id }) => !ids.includes(id));
  expect(shown.flatMap(({ reblog, svc }) => [reblog, svc.quote]).filter((other) => other !== null)).toEqual([]);
});

it.each<[how: string, act: (id: string) => Promise<number>]>([
  ['boosts', async (id) => (await bob.post(`/api/v1/statuses/${id}/reblog`)).status],
  ['quotes', async (id) => (await bob.post('/api/v1/statuses', { status: 'see', quote_id: id })).status],
])('no local user %s a stored post of an author that is refused now', async (_how, act) => {
  const { id } = (await bob.copyOf(await pair.write(alice, 'tea of before')))!;
  await set({ 'mrf.policies': ['UserAllowListPolicy'], 'mrf_user_allowlist.actors': [carol.uri] });
  expect(await act(id)).toBe(422);
  await set({ 'mrf.policies': [] });
  expect(await act(id)).toBe(200);
});

it('KeywordPolicy removes forbidden texts from profiles of another server', async () => {
  const values = {
    display_name: `Alice ${WORD}`,
    note: 'fond of tea',
    fields_attributes: [{ name: WORD, value: 'yes' }],
  };
  await set({
    'mrf.policies': ['KeywordPolicy'],
    'mrf_keyword.reject': [WORD],
    'mrf_keyword.replace': [['tea', 'milk']],
  });
  await ok(alice.patch('/api/v1/accounts/update_credentials', values));
  await pair.settle();
  const shown = await ok<AccountJson>(bob.get(`/api/v1/accounts/${await bob.idOf(alice)}`));
  expect([shown.display_name, shown.fields, shown.note]).toEqual(['alice', [], '<p>fond of milk</p>']);
});

it.each<[policy: string, settings: () => Values]>([
  ['SimplePolicy', () => ({ 'mrf_simple.report_removal': ['127.0.0.1'] })],
  ['RemoteReportPolicy', () => ({ 'mrf.policies': ['RemoteReportPolicy'], 'mrf_remote_report.reject_all': true })],
  ['VocabularyPolicy', () => ({ 'mrf.policies': ['VocabularyPolicy'], 'mrf_vocabulary.reject': ['Flag'] })],
  ['DropPolicy', () => ({ 'mrf.policies': ['DropPolicy'] })],
])('%s refuses a report of another server', async (_policy, settings) => {
  const report = { account_id: await alice.idOf(bob), comment: 'rude', forward: true };
  const filed = async () => {
    await ok(alice.post('/api/v1/reports', report));
    await pair.settle();
    return (await pair.beta.sql('delete from reports returning id')).length;
  };
  expect(await filed()).toBe(1);
  await set(settings());
  expect(await filed()).toBe(0);
});

describe('HellthreadPolicy', () => {
  it('counts all accounts that a post mentions, even unknown ones', async () => {
    await set({ 'mrf.policies': ['HellthreadPolicy'] });
    const names = Array.from({ length: 24 }, (_, at) => `nobody${at}`);
    for (const name of names) await pair.alpha.world.person(name);
    const post = await pair.write(alice, names.map((name) => `@${name}`).join(' '));
    expect(await isThere(post)).toBe(false);
  });
});

describe('the followers_only of SimplePolicy', () => {
  it('shows a direct post only to followers of its author', async () => {
    await set({ 'mrf_simple.followers_only': ['127.0.0.1'] });
    const text = `@${bob.handle} @${erin.handle} tea`;
    const [both, one] = [
      await pair.write(alice, text, { visibility: 'direct' }),
      await pair.write(alice, `@${erin.handle} tea`, { visibility: 'direct' }),
    ];
    expect([await bob.copyOf(both), await erin.copyOf(both)]).toMatchObject([{ visibility: 'direct' }, undefined]);
    expect(await isThere(one)).toBe(false);
    const open = await pair.write(alice, text);
    expect([await bob.copyOf(open), await erin.copyOf(open)]).toMatchObject([{ visibility: 'private' }, undefined]);
  });
});

describe('AntiFollowbotPolicy', () => {
  it('refuses a follow by a bot, unless the account follows the bot', async () => {
    await set({ 'mrf.policies': ['AntiFollowbotPolicy'] });
    const robot = await pair.alpha.member('robot');
    await ok(robot.patch('/api/v1/accounts/update_credentials', { bot: true }));
    await bob.follow(robot);
    await pair.settle();
    for (const person of [bob, erin]) await robot.follow(person);
    await pair.settle();
    const followed = await Promise.all([bob, erin].map(async (person) => (await robot.relationTo(person)).following));
    expect(followed).toEqual([true, false]);
  });
});

describe('an answer', () => {
  it.each<[policy: string, asked: string, answered: string, shown: string]>([
    ['QuietReply', 'public', 'public', 'unlisted'],
    ['QuietReply', 'unlisted', 'public', 'unlisted'],
    ['QuietReply', 'private', 'private', 'private'],
    ['FODirectReply', 'private', 'private', 'direct'],
    ['FODirectReply', 'private', 'public', 'public'],
    ['FODirectReply', 'public', 'private', 'private'],
  ])('of this server under %s to a %s post changes from %s to %s', async (policy, asked, visibility, shown) => {
    const question = await pair.write(alice, 'milk?', { visibility: asked });
    await set({ 'mrf.policies': [policy] });
    const { id } = (await bob.copyOf(question))!;
    const answer = await bob.write(`@${alice.handle} yes`, { in_reply_to_id: id, visibility });
    expect(answer.visibility).toBe(shown);
    await pair.settle();
    expect(await alice.copyOf(answer)).toMatchObject({ visibility: shown });
  });

  it('of a bot is refused by BlockBotReplies, unless its parent is by a follower', async () => {
    await set({ 'mrf.policies': ['BlockBotReplies'] });
    const robot = await pair.alpha.member('answering');
    await ok(robot.patch('/api/v1/accounts/update_credentials', { bot: true }));
    await bob.follow(robot);
    await pair.settle();
    const arrived = [];
    for (const author of [bob, erin]) {
      const question = await author.write(`@${robot.handle} tea?`);
      await pair.settle();
      const { id } = (await robot.copyOf(question))!;
      arrived.push(await isThere(await pair.write(robot, `@${author.handle} beep`, { in_reply_to_id: id })));
    }
    expect(arrived).toEqual([true, false]);
  });
});
