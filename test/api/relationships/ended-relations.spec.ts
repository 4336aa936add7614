import { BlocksService } from '../../../src/accounts/index.js';
import type { ConversationJson, PlainStatusJson, StatusJson } from '../../../src/statuses/index.js';
import { countQueries } from '../../support/queries.js';
import { useApp } from '../../support/servers/app.js';
import { ok, post } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

const PATH = '/api/v1/statuses';
const SVC = '/api/v1/svc/statuses';

const app = useApp({ people: ['alice', 'bob'] });
let alice: Client;
let bob: Client;

beforeEach(async () => {
  [alice, bob] = await Promise.all([app.world.as('alice'), app.world.as('bob')]);
});

/** Lets timed relations expire; no job has removed them yet. */
const over = (table: string) => app.sql(`update ${table} set expires_at = now() - interval '1 second'`);
const shown = async (client: Client, path: string) => (await ok<StatusJson[]>(client.get(path))).map(({ id }) => id);

describe('an expired block', () => {
  beforeEach(async () => {
    await app.get(BlocksService).block(app.world.id('alice'), app.world.id('bob'), { expiresIn: 60 });
    await over('blocks');
  });

  it('allows interactions with posts', async () => {
    const { id, poll } = await post(app, 'alice', 'tea?', { poll: { options: ['yes', 'no'], expires_in: 300 } });
    for (const verb of ['favourite', 'reblog']) await bob.post(`${PATH}/${id}/${verb}`).expect(200);
    await bob.put(`${SVC}/${id}/reactions/🍵`).expect(200);
    await bob.post(`/api/v1/polls/${poll!.id}/votes`, { choices: [0] }).expect(200);
    await post(app, 'bob', 'yes', { in_reply_to_id: id });
    await post(app, 'bob', 'see', { quote_id: id });
    const after = await ok(alice.get(`${PATH}/${id}`));
    const counts = { favourites_count: 1, reblogs_count: 1, replies_count: 1, quotes_count: 1 };
    expect(after).toMatchObject({ ...counts, poll: { voters_count: 1 } });
    expect(after.svc.emoji_reactions).toMatchObject([{ name: '🍵', count: 1 }]);
  });

  it('allows direct messages', async () => {
    const namesOf = ({ mentions }: PlainStatusJson) => mentions.map(({ username }) => username);
    const made = await post(app, 'bob', 'hi @alice');
    expect(namesOf(made)).toEqual(['alice']);
    const other = await post(app, 'bob', 'hi');
    expect(namesOf(await ok(bob.put(`${PATH}/${other.id}`, { status: 'hi @alice' })))).toEqual(['alice']);
    await app.world.follow('bob', 'alice');
    const list = await ok<{ id: string }>(bob.post('/api/v1/lists', { title: 'tea' }));
    await bob.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [app.world.id('alice')] }).expect(200);
    const listed = await post(app, 'bob', 'tea?', { visibility: `list:${list.id}` });
    await alice.get(`${PATH}/${listed.id}`).expect(200);
  });

  it('hides neither account from the other', async () => {
    const mine = await post(app, 'alice', 'tea');
    const answer = await post(app, 'bob', 'yes', { in_reply_to_id: mine.id });
    for (const client of [alice, bob]) {
      expect(await shown(client, '/api/v1/timelines/public')).toEqual([answer.id, mine.id]);
      const context = await ok<{ descendants: PlainStatusJson[] }>(client.get(`${PATH}/${mine.id}/context`));
      expect(context.descendants.map(({ id }) => id)).toEqual([answer.id]);
    }
  });
});

describe('an expired mute', () => {
  it('hides nothing, and leaves direct posts unread', async () => {
    await app.get(BlocksService).mute(app.world.id('bob'), app.world.id('alice'), { expiresIn: 60 });
    await over('mutes');
    const { id } = await post(app, 'alice', 'tea');
    expect(await shown(bob, '/api/v1/timelines/public')).toEqual([id]);
    await post(app, 'alice', '@bob hi', { visibility: 'direct' });
    expect(await ok<ConversationJson[]>(bob.get('/api/v1/conversations'))).toMatchObject([{ unread: true }]);
  });

  it('hides no thread, and leaves its direct posts unread', async () => {
    const open = await post(app, 'alice', 'tea');
    const direct = await post(app, 'alice', '@bob hi', { visibility: 'direct' });
    for (const { id } of [open, direct]) await bob.post(`${PATH}/${id}/mute`, { expires_in: 60 }).expect(200);
    await over('thread_mutes');
    await bob.post(`${PATH}/${(await post(app, 'alice', 'more')).id}/mute`).expect(200); // one of those that go on
    expect(await shown(bob, '/api/v1/timelines/public')).toEqual([open.id]);
    await bob.post('/api/v1/svc/conversations/read').expect(200);
    await post(app, 'alice', '@bob there?', { visibility: 'direct', in_reply_to_id: direct.id });
    expect(await ok<ConversationJson[]>(bob.get('/api/v1/conversations'))).toMatchObject([{ unread: true }]);
  });
});

describe('the cached state of a timed relation', () => {
  const ID = (name: string) => app.world.id(name);
  const shownTo = (client: Client) => ok(client.get('/api/v1/accounts/relationships', { id: ID('alice') }));
  const timed = { expiresIn: 30 };
  let id: string;

  beforeEach(async () => {
    ({ id } = await post(app, 'alice', 'tea'));
  });
  afterEach(() => jest.restoreAllMocks());

  it.each<[string, () => Promise<unknown>, () => Promise<unknown>, number]>([
    ['a mute', () => app.get(BlocksService).mute(ID('bob'), ID('alice'), timed), () => shownTo(bob), 1],
    ['a block', () => app.get(BlocksService).block(ID('bob'), ID('alice'), timed), () => shownTo(bob), 1],
    ['a block by the other', () => app.get(BlocksService).block(ID('alice'), ID('bob'), timed), () => shownTo(bob), 1],
    ['a mute without an end', () => app.get(BlocksService).mute(ID('bob'), ID('alice'), {}), () => shownTo(bob), 0],
    [
      'a muted thread',
      () => ok(bob.post(`${PATH}/${id}/mute`, { expires_in: 30 })),
      () => ok(bob.get(`${PATH}/${id}`)),
      1,
    ],
    [
      'a mute of the author',
      () => app.get(BlocksService).mute(ID('bob'), ID('alice'), timed),
      () => ok(bob.get(`${PATH}/${id}`)),
      1,
    ],
    ['no relation', () => Promise.resolve(), () => ok(bob.get(`${PATH}/${id}`)), 0],
  ])('ends with it: %s', async (_what, relate, read, statements) => {
    await relate();
    app.invalidateReads();
    await read();
    expect((await countQueries(read)).statements).toEqual([]);
    const now = Date.now.bind(Date);
    jest.spyOn(Date, 'now').mockImplementation(() => now() + 31_000);
    expect((await countQueries(read)).statements.length > 0).toBe(statements > 0);
  });
});
