import { RelationshipShape, RemoteAccounts } from '../../../src/accounts/index.js';
import { type ResultsV1Json, ResultsV1Shape, type ResultsJson, ResultsShape } from '../../../src/search/index.js';
import { useApp } from '../../support/servers/app.js';
import { makeStatuses } from '../../support/fixtures/factories.js';
import { checkShape } from '../../support/shape.js';
import { post, reblog } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

const app = useApp({ people: ['alice', 'bob', 'carol'] });
let alice: Client;

beforeEach(async () => {
  await app.world.remote('zoe', 'b.example');
  alice = await app.world.as('alice');
});

const id = (name: string) => app.world.id(name);

async function search(q: string, query = {}, client: Client = app.world.anonymous): Promise<ResultsJson> {
  const body = (await client.get('/api/v2/search', { q, ...query }).expect(200)).body as ResultsJson;
  expect(checkShape(ResultsShape, body)).toEqual([]);
  return body;
}
const found = async (...asked: Parameters<typeof search>) =>
  (await search(...asked)).statuses.map((status) => status.id);
const tags = async (...asked: Parameters<typeof search>) => (await search(...asked)).hashtags.map(({ name }) => name);

/** A post from a remote server. */
async function remoteStatus(text: string, visibility = 0): Promise<string> {
  const [made] = (await makeStatuses(app, 'zoe@b.example', 1, { text, visibility })) as [string];
  await app.sql(
    `update statuses set local = false, uri = 'https://b.example/objects/1', url = 'https://b.example/@zoe/1' where id = $1`,
    [made],
  );
  return made;
}

describe('a search for words', () => {
  const choose = (name: string, indexable: boolean | null) =>
    app.sql('update accounts set indexable = $2, version = version + 1 where id = $1', [id(name), indexable]);

  it.each([
    [null, 'tea', true],
    [true, 'tea', true],
    [false, 'tea', false],
    [false, '"tea"', false],
    [false, '-milk', false],
    [false, 'from:bob tea', false],
    [false, 'from:zoe@b.example tea', false],
    [false, 'from:bob', true],
    [false, 'from:zoe@b.example', true],
    [false, 'https://b.example/@zoe/1', true],
  ])('of authors who chose %s: %s', async (indexable, words, isFound) => {
    await post(app, 'bob', 'tea');
    await remoteStatus('tea');
    for (const name of ['bob', 'zoe@b.example']) await choose(name, indexable);
    expect((await found(words, {}, alice)).length > 0).toBe(isFound);
  });

  it('finds the own posts of an author that is not discoverable', async () => {
    const { id: made } = await post(app, 'bob', 'tea');
    await choose('bob', false);
    expect(await found('tea', {}, await app.world.as('bob'))).toEqual([made]);
    expect(await found('tea', {}, alice)).toEqual([]);
    expect(await found('tea')).toEqual([]);
  });
});

describe('a search', () => {
  it('finds accounts, posts and hashtags at once, or only one of these types', async () => {
    const { id: made } = await post(app, 'bob', 'carol likes #carols');
    const all = await search('carol', {}, alice);
    expect(all.accounts.map(({ acct }) => acct)).toEqual(['carol']);
    expect(all.statuses.map((status) => status.id)).toEqual([made]);
    expect(all.hashtags).toMatchObject([{ name: 'carols', following: false }]);
    for (const type of ['accounts', 'statuses', 'hashtags'] as const) {
      const only = await search('carol', { type });
      const rest = { accounts: [], statuses: [], hashtags: [], collections: [] };
      expect(only).toEqual({ ...rest, [type]: only[type] });
      expect(only[type]).toHaveLength(1);
    }
  });

  it('returns only the names of hashtags to older apps', async () => {
    await post(app, 'bob', 'carol likes #carols');
    const body = (await alice.get('/api/v1/search', { q: 'carol' }).expect(200)).body as ResultsV1Json;
    expect(checkShape(ResultsV1Shape, body)).toEqual([]);
    expect([body.accounts.length, body.statuses.length, body.hashtags]).toEqual([1, 1, ['carols']]);
  });

  it('includes relationships of accounts when requested', async () => {
    const [carol] = (await search('carol', { with_relationships: true }, alice)).accounts;
    expect(checkShape(RelationshipShape, carol!.svc.relationship)).toEqual([]);
    expect((await search('carol', {}, alice)).accounts[0]!.svc.relationship).toEqual({});
  });

  it('finds only followed accounts when requested', async () => {
    await app.world.follow('alice', 'bob');
    const names = async (q: string) => (await search(q, { following: true }, alice)).accounts.map(({ acct }) => acct);
    expect([await names('bob'), await names('carol')]).toEqual([['bob'], []]);
  });

  it('refuses an empty query, an unknown type and an invalid account id', async () => {
    for (const path of ['/api/v1/search', '/api/v2/search']) {
      await alice.get(path).expect(400);
      await alice.get(path, { q: ' ' }).expect(400);
      await alice.get(path, { q: 'a', type: 'cats' }).expect(400);
      await alice.get(path, { q: 'a', account_id: ['b', 'c', 'd'.repeat(65)] }).expect(400);
    }
  });

  it.each(['"', "' & | ! :*", '-', '- "" -"', '\\', '%', '🐈', '(((', 'a'.repeat(2_048), 'or or', '-tea'])(
    'for %j succeeds',
    async (q) => {
      await post(app, 'bob', 'coffee');
      await search(q, {}, alice);
    },
  );
});

describe('a search for posts', () => {
  it('finds words in any case and with any accents, in texts and warnings, the newest first', async () => {
    const first = await post(app, 'bob', 'Grüner TEE!');
    const second = await post(app, 'carol', 'nothing', { spoiler_text: 'tee' });
    await post(app, 'carol', 'teeth');
    expect(await found('gruner tee')).toEqual([first.id]);
    expect(await found('tee')).toEqual([second.id, first.id]);
    expect(await found('gruner nothing')).toEqual([]);
  });

  it('supports phrases and excluded words', async () => {
    const phrase = await post(app, 'bob', 'a cup of green tea');
    const words = await post(app, 'bob', 'tea is green');
    expect(await found('green tea')).toEqual([words.id, phrase.id]);
    expect(await found('"green tea"')).toEqual([phrase.id]);
    expect(await found('tea -cup')).toEqual([words.id]);
    expect(await found('-cup')).toEqual([words.id]);
    expect(await found('tea -"green tea"')).toEqual([words.id]);
  });

  it('can be limited to an author and to posts with polls, links or media', async () => {
    const options = ['yes', 'no'];
    const poll = await post(app, 'bob', 'tea', { poll: { options, expires_in: 3_600 } });
    const plain = await post(app, 'bob', 'tea and milk');
    const own = await post(app, 'alice', 'tea');
    const elsewhere = await remoteStatus('tea');
    await app.sql('update statuses set flags = flags | 4 where id = $1', [own.id]);
    const asked: [string, string[]][] = [
      ['tea from:bob', [plain.id, poll.id]],
      ['from:@bob', [plain.id, poll.id]],
      ['from:zoe@b.example', [elsewhere]],
      ['from:me', [own.id]],
      ['from:nobody tea', []],
      ['tea has:poll', [poll.id]],
      ['has:poll', [poll.id]],
      ['from:bob -has:poll', [plain.id]],
      ['tea has:link', [own.id]],
      ['has:poll has:media', []],
    ];
    for (const [q, ids] of asked) expect({ q, ids: await found(q, {}, alice) }).toEqual({ q, ids });
    expect(await found('from:me')).toEqual([]);
    expect(await found('tea', { account_id: id('bob') })).toEqual([plain.id, poll.id]);
    expect(await found('tea from:bob', { account_id: id('alice') })).toEqual([]);
    expect(await found('tea', { account_id: 'nobody' })).toEqual([]);
  });

  it('finds public and unlisted posts, and others only if the viewer may see them', async () => {
    const ids: Record<string, string> = {};
    for (const visibility of ['public', 'unlisted', 'private', 'direct', 'local']) {
      ids[visibility] = (await post(app, 'bob', 'secret', { visibility })).id;
    }
    const seen = async (client?: Client) => {
      const answer = await found('secret', {}, client);
      return Object.keys(ids).filter((name) => answer.includes(ids[name]!));
    };
    expect(await seen()).toEqual(['public', 'unlisted']);
    expect(await seen(alice)).toEqual(['public', 'unlisted', 'local']);
    await app.world.follow('alice', 'bob');
    expect(await seen(alice)).toEqual(['public', 'unlisted', 'private', 'local']);
    expect(await seen(await app.world.as('bob'))).toEqual(Object.keys(ids));
    const sent = await post(app, 'bob', '@alice secret', { visibility: 'direct' });
    expect(await found('secret', { limit: 1 }, alice)).toEqual([sent.id]);
  });

  it('does not find boosts', async () => {
    const { id: made } = await post(app, 'bob', 'tea');
    await reblog(app, 'carol', made);
    expect(await found('tea')).toEqual([made]);
    expect(await found('from:carol')).toEqual([]);
  });

  it('shows only local posts to anonymous viewers', async () => {
    const elsewhere = await remoteStatus('tea');
    expect(await found('tea')).toEqual([]);
    expect(await found('https://b.example/@zoe/1')).toEqual([]);
    expect(await found('tea', {}, alice)).toEqual([elsewhere]);
  });

  it('V10 hides posts by and to blocked and blocking accounts, but not by muted accounts', async () => {
    const { id: made } = await post(app, 'bob', 'tea');
    const { id: sent } = await post(app, 'carol', 'tea @bob');
    expect(await found('tea', {}, alice)).toEqual([sent, made]);
    await alice.post(`/api/v1/accounts/${id('bob')}/mute`).expect(200);
    expect(await found('tea', {}, alice)).toEqual([sent, made]);
    for (const [from, to] of [
      ['alice', 'bob'],
      ['bob', 'alice'],
    ] as const) {
      await app.sql('delete from blocks');
      await app.sql('insert into blocks (account_id, target_id) values ($1, $2)', [id(from), id(to)]);
      expect(await found('tea', {}, alice)).toEqual([]);
      expect(await found('from:bob', {}, alice)).toEqual([]);
      expect(await found(`https://svc.test/notice/${made}`, {}, alice)).toEqual([]);
    }
  });

  it('V10 hides posts from servers that the viewer blocks, also by followed accounts', async () => {
    const elsewhere = await remoteStatus('tea');
    const { id: here } = await post(app, 'bob', 'tea');
    await app.world.follow('alice', 'zoe@b.example');
    await app.sql('update follows set state = 1');
    const answers = async () => [
      ...(await Promise.all(['tea', 'from:zoe@b.example', 'https://b.example/@zoe/1'].map((q) => found(q, {}, alice)))),
      await found('tea', { account_id: id('zoe@b.example') }, alice),
      await found('-coffee', {}, alice),
    ];
    const all = (await found('tea', {}, alice)).toSorted();
    expect(all).toEqual([elsewhere, here].toSorted());
    const before = await answers();
    expect(before.map((ids) => ids.includes(elsewhere))).toEqual([true, true, true, true, true]);
    await alice.post('/api/v1/domain_blocks', { domain: 'b.example' }).expect(200);
    expect(await answers()).toEqual([[here], [], [], [], [here]]);
    await app.sql('delete from domain_blocks');
    expect(await answers()).toEqual(before);
  });

  it('V15 hides posts by deactivated accounts', async () => {
    const { id: made, uri } = await post(app, 'bob', 'tea');
    const answers = async () => [
      ...(await Promise.all(['tea', 'from:bob', 'tea from:bob', uri].map((q) => found(q, {}, alice)))),
      await found('tea', { account_id: id('bob') }, alice),
    ];
    expect(await answers()).toEqual([[made], [made], [made], [made], [made]]);
    await app.sql('update accounts set deactivated_at = now() where id = $1', [id('bob')]);
    expect(await answers()).toEqual([[], [], [], [], []]);
  });

  it('is paged by an offset and by ids', async () => {
    const ids = (await makeStatuses(app, 'bob', 5, { text: 'tea' })).toReversed();
    expect(await found('tea', { limit: 2 })).toEqual(ids.slice(0, 2));
    expect(await found('tea', { limit: 2, offset: 2 })).toEqual(ids.slice(2, 4));
    expect(await found('tea', { limit: 2, offset: 4 })).toEqual(ids.slice(4));
    for (const offset of [5, 2 ** 31, Number.MAX_SAFE_INTEGER]) expect(await found('tea', { offset })).toEqual([]);
    expect(await found('tea', { limit: 2, max_id: ids[1] })).toEqual(ids.slice(2, 4));
    expect(await found('tea', { limit: 2, min_id: ids[4] })).toEqual(ids.slice(2, 4));
    expect(await found('tea', { account_id: id('bob'), limit: 2, min_id: ids[4] })).toEqual(ids.slice(2, 4));
  });

  it('finds posts older than thousands of others by the word index', async () => {
    const [old] = await makeStatuses(app, 'bob', 1, { text: 'samovar' });
    await makeStatuses(app, 'carol', 4_001);
    expect(await found('samovar')).toEqual([old]);
    expect(await found('samovar -tea')).toEqual([old]);
  });

  it('finds all posts with a rare word that was used recently, however many posts there are', async () => {
    const [old] = await makeStatuses(app, 'bob', 1, { text: 'samovar' });
    await makeStatuses(app, 'carol', 4_001);
    await app.sql('alter table statuses set (autovacuum_enabled = false)');
    await app.sql('analyze statuses');
    const used = await makeStatuses(app, 'bob', 10, { text: 'samovar' });
    await app.sql(`update pg_class set reltuples = 20000000 where oid = 'statuses'::regclass`);
    expect(await found('samovar')).toEqual([...used.toReversed(), old]);
    await app.sql('analyze statuses');
  });

  it('finds all posts with common words that rarely occur together', async () => {
    const [old] = await makeStatuses(app, 'bob', 1, { text: 'green samovar' });
    await makeStatuses(app, 'bob', 2_001, { text: 'green' });
    await makeStatuses(app, 'carol', 2_001, { text: 'samovar' });
    const used = await makeStatuses(app, 'bob', 7, { text: 'green samovar' });
    await app.sql('alter table statuses set (autovacuum_enabled = false)');
    await app.sql('analyze statuses');
    await app.sql(`update pg_class set reltuples = 20000000 where oid = 'statuses'::regclass`);
    expect(await found('green samovar')).toEqual([...used.toReversed(), old]);
    expect(await found('"green samovar"')).toEqual([...used.toReversed(), old]);
    await app.sql('analyze statuses');
  });
});

describe('a search in a script without spaces', () => {
  it.each([
    [
      '東京タワーに行きました',
      ['東京', 'タワー', '行き', '東', '"東京 タワー"', 'タワー 東京'],
      ['京東', 'タワ行', '大阪'],
    ],
    ['iPhoneを買った', ['iphone', '買った', 'iPhoneを', 'を買'], ['買iPhone', '売った']],
    ['我们去喝茶，好吗？', ['喝茶', '茶', '#好吗'], ['茶喝', '茶好啊']],
    ['วันนี้อากาศดีมาก', ['อากาศ', 'วันนี้', 'ดีมาก'], ['ศอากา']],
    ['어제 커피를 마셨다', ['커피', '어제', '마셨'], ['피커']],
    ['ສະບາຍດີ ວຽງຈັນ', ['ວຽງຈັນ', 'ສະບາຍ'], ['ຈັນວຽງ']],
  ])('finds parts of %s', async (text, known, unknown) => {
    const { id: made } = await post(app, 'bob', text);
    for (const q of known) expect([q, await found(q)]).toEqual([q, [made]]);
    for (const q of unknown) expect([q, await found(q)]).toEqual([q, []]);
  });

  it('supports excluded words', async () => {
    await post(app, 'bob', '東京のお茶');
    const { id: other } = await post(app, 'bob', '大阪のお茶');
    expect(await found('お茶 -東京')).toEqual([other]);
    expect(await found('お茶 -"東京"')).toEqual([other]);
  });
});

describe('a search for the address of a post', () => {
  it('finds it by its URI and by the addresses of its page', async () => {
    const { id: made, uri, url } = await post(app, 'bob', 'tea');
    const base = new URL(url).origin;
    for (const q of [uri, url, ` ${url} `, `${base}/@bob/${made}`, `${base}/users/bob/statuses/${made}`]) {
      const { accounts, statuses, hashtags } = await search(q);
      expect([accounts, statuses.map((status) => status.id), hashtags]).toEqual([[], [made], []]);
    }
    expect(await found(`${base}/notice/unknown`)).toEqual([]);
    expect(await found(`https://elsewhere.example/notice/${made}`)).toEqual([]);
    expect(await found(url, { offset: 1 })).toEqual([]);
  });

  it('V4 finds no post that the viewer may not see', async () => {
    const { uri, url, id: made } = await post(app, 'bob', 'tea', { visibility: 'private' });
    for (const q of [uri, url]) {
      expect(await found(q, { resolve: true }, alice)).toEqual([]);
      expect(await found(q, { resolve: true }, await app.world.as('bob'))).toEqual([made]);
    }
  });

  it('V10 finds no post that mentions an account the viewer blocks', async () => {
    const { uri } = await post(app, 'bob', 'tea for @carol');
    const pair = [app.world.id('alice'), app.world.id('carol')];
    await app.sql('insert into blocks (account_id, target_id) values ($1, $2)', pair);
    expect(await found(uri, {}, alice)).toEqual([]);
    expect(await found(uri, {}, await app.world.as('carol'))).toHaveLength(1);
  });

  it('asks remote servers only for unknown posts, and only for signed-in viewers', async () => {
    const made = await remoteStatus('tea');
    const port = app.get(RemoteAccounts);
    const known = port['filler']();
    const asked: string[] = [];
    port.use({ resolve: (text) => (asked.push(text), Promise.resolve(undefined)) });
    try {
      for (const q of ['https://b.example/objects/1', 'https://b.example/@zoe/1']) {
        expect(await found(q, { resolve: true }, alice)).toEqual([made]);
      }
      expect(asked).toEqual([]);
      expect(await found('https://b.example/@zoe/2', { resolve: true }, alice)).toEqual([]);
      expect(await found('https://b.example/@zoe/3', { resolve: true })).toEqual([]);
      expect(asked).toEqual(['https://b.example/@zoe/2']);
    } finally {
      port.use(known);
    }
  });
});

describe('a search for hashtags', () => {
  it('finds hashtags by prefix, the exact one first, then the most used', async () => {
    await post(app, 'bob', '#teapot #Tea #teacup #coffee #TÉA');
    await app.sql(
      `insert into hashtag_days (hashtag_id, day, uses, accounts) select id, current_date, 5, 3 from hashtags where name = 'teapot'`,
    );
    expect(await tags('TEA')).toEqual(['tea', 'teapot', 'teacup']);
    expect(await tags('#tea')).toEqual(['tea', 'teapot', 'teacup']);
    expect(await tags('#tea', { limit: 1, offset: 1 })).toEqual(['teapot']);
    expect(await tags('tea cup')).toEqual(['teacup']);
    expect(await tags('te_')).toEqual([]);
    expect(await tags('#')).toEqual([]);
  });

  it('shows whether the viewer follows a hashtag', async () => {
    await post(app, 'bob', '#tea');
    await alice.post('/api/v1/tags/tea/follow').expect(200);
    expect((await search('tea', {}, alice)).hashtags).toMatchObject([{ name: 'tea', following: true }]);
    expect((await search('tea')).hashtags).toMatchObject([{ name: 'tea', following: false }]);
  });

  it('finds no hashtag that occurs only in private posts', async () => {
    await post(app, 'bob', '#hush', { visibility: 'private' });
    expect(await tags('hush', {}, await app.world.as('bob'))).toEqual([]);
    await post(app, 'carol', '#hush', { visibility: 'unlisted' });
    expect(await tags('hush')).toEqual(['hush']);
  });
});
