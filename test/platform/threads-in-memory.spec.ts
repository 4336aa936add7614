import { type ContextJson, Visibility } from '../../src/statuses/index.js';
import { useApp } from '../support/servers/app.js';
import { makeStatuses } from '../support/fixtures/factories.js';
import { ok, post, reblog } from '../support/fixtures/statuses.js';
import type { Client } from '../support/fixtures/world.js';
import { countQueries } from '../support/queries.js';

/*
 * ADR 25: a thread in memory equals what a new read returns, for everybody who reads it. Each change is made to a thread that
 * all have just read, with posts that some may not see between posts that all may see.
 */

const app = useApp({ once: ['alice', 'bob', 'carol'] });
let readers: Record<string, Client>;
const ids: Record<string, string> = {};

const write = async (author: string, name: string, to: string | undefined, options = {}) => {
  const { id } = await post(app, author, name, { in_reply_to_id: to && ids[to], ...options });
  ids[name] = id;
};
const contextOf = async (client: Client, name: string): Promise<unknown> => {
  const { status, body } = await client.get(`/api/v1/statuses/${ids[name]}/context`);
  if (status !== 200) return status;
  const { ancestors, descendants } = body as ContextJson;
  return [ancestors, descendants].map((side) => side.map(({ id, replies_count: replies }) => `${id} ${replies}`));
};

const OPEN = ['root', 'one', 'one.one', 'two', 'boost'];
const HALF_HIDDEN = ['start', 'for followers', 'beyond', 'far beyond'];

const scene = async () => {
  const seen = new Map<string, unknown>();
  for (const [reader, client] of Object.entries(readers))
    for (const name of [...OPEN, ...HALF_HIDDEN]) seen.set(`${reader}: ${name}`, await contextOf(client, name));
  return seen;
};

beforeAll(async () => {
  readers = {
    anonymous: app.world.anonymous,
    alice: await app.world.as('alice'),
    bob: await app.world.as('bob'),
    carol: await app.world.as('carol'),
  };
  await app.world.follow('carol', 'bob');
  await app.world.follow('alice', 'bob');
  await write('alice', 'root', undefined);
  await write('bob', 'one', 'root');
  await write('carol', 'one.one', 'one');
  await write('carol', 'two', 'root');
  ids['boost'] = (await reblog(app, 'carol', ids['one']!)).id;
  await write('alice', 'start', undefined);
  await write('bob', 'for followers', 'start', { visibility: 'private' });
  await write('carol', 'between', 'for followers', { visibility: 'direct' });
  await write('carol', 'beyond', 'for followers', { visibility: 'public' });
  await write('carol', 'far beyond', 'beyond', { visibility: 'public' });
  await app.drain();
});

const deleted = (author: string, name: string) => () => ok(readers[author]!.delete(`/api/v1/statuses/${ids[name]}`));
const act = (who: string, path: string) => () =>
  ok(readers[who]!.post(`/api/v1/${path.replace(/\{(\w+)\}/g, (_, name: string) => app.world.id(name))}`));
const answering = (name: string, to: string | null) => () =>
  app.sql('update statuses set in_reply_to_id = $2, version = version + 1 where id = $1', [ids[name], to && ids[to]]);

describe('a thread in memory', () => {
  afterEach(() => void jest.restoreAllMocks());
  it.each<readonly [change: string, make: () => Promise<unknown>]>([
    ['an answer to its first post', () => write('bob', 'new', 'root')],
    ['an answer to its last post', () => write('alice', 'newer', 'one.one')],
    [
      'an answer to a post that some do not see',
      () => write('bob', 'own answer', 'for followers', { visibility: 'public' }),
    ],
    ['an answer to an answer that hardly anybody sees', answering('beyond', 'between')],
    ['the deletion of an answer', deleted('bob', 'new')],
    ['a post that answers another one now', answering('two', 'one')],
    ['a post between that answers nothing now', answering('for followers', null)],
    ['a post between that answers again', answering('for followers', 'start')],
    ['a first post that turns out to be an answer', answering('root', 'beyond')],
    ['a first post that is one again', answering('root', null)],
    ['a block of its author', act('carol', 'accounts/{alice}/block')],
    ['a block of a reader', act('alice', 'accounts/{bob}/block')],
    ['the end of a block', act('alice', 'accounts/{bob}/unblock')],
    ['the end of the other block', act('carol', 'accounts/{alice}/unblock')],
    ['an end of a follow', act('carol', 'accounts/{bob}/unfollow')],
    ['a favourite', () => ok(readers['carol']!.post(`/api/v1/statuses/${ids['one']}/favourite`))],
    ['the deletion of a post between', deleted('carol', 'between')],
    ['the deletion of a post with answers that some do not see', deleted('bob', 'for followers')],
    ['the deletion of the first post', deleted('alice', 'root')],
  ])('equals a new read after %s', async (_change, make) => {
    await scene();
    await make();
    const kept = await scene();
    app.invalidateReads();
    expect(Object.fromEntries(kept)).toEqual(Object.fromEntries(await scene()));
  });

  it('of posts that all may see is filled by its first reader, and shows nobody what a block hides', async () => {
    await write('alice', 'talk', undefined);
    for (const name of ['bob', 'carol']) await write(name, `by ${name}`, 'talk');
    const [zoe] = await makeStatuses(app, (await app.world.remote('zoe', 'far.test')).nickname, 1);
    await app.sql('update statuses set in_reply_to_id = $2, local = false where id = $1', [zoe, ids['talk']]);
    await ok(readers['bob']!.post(`/api/v1/accounts/${app.world.id('carol')}/block`));
    await app.sql(`insert into domain_blocks (account_id, domain) values ($1, 'far.test')`, [app.world.id('bob')]);
    const sizes = async () => {
      const read = async (client: Client) => ((await contextOf(client, 'talk')) as string[][])[1]!.length;
      return [await read(readers['anonymous']!), await read(readers['bob']!), await read(readers['carol']!)];
    };
    const { result, statements } = await countQueries(sizes);
    expect(result).toEqual([3, 1, 2]);
    expect(statements.filter((name) => name === 'statuses.thread')).toHaveLength(1);
  });

  it('is read anew for a reader who gets more of it than the one before', async () => {
    const [root, ...answers] = await makeStatuses(app, 'alice', 71);
    await app.sql('update statuses set in_reply_to_id = $2 where id = any($1::text[])', [answers, root]);
    ids['long'] = root!;
    const count = async (name: string) => ((await contextOf(readers[name]!, 'long')) as string[][])[1]!.length;
    expect([await count('anonymous'), await count('bob'), await count('anonymous')]).toEqual([60, 70, 60]);
    await app.sql('update statuses set visibility = $2 where id = any($1::text[])', [answers, Visibility.private]);
    expect([await count('anonymous'), await count('bob'), await count('alice')]).toEqual([0, 0, 70]);
  });

  it('that was made of another one ends when that would have ended, also when the clock is set back', async () => {
    await write('alice', 'talk that ends', undefined);
    await write('alice', 'its answer', 'talk that ends');
    const answers = async (name: string) =>
      ((await contextOf(readers[name]!, 'talk that ends')) as string[][])[1]!.length;
    const [now, steady] = [Date.now(), performance.now()];
    const clock = jest.spyOn(Date, 'now').mockReturnValue(now);
    const timer = jest.spyOn(performance, 'now').mockReturnValue(steady);
    expect(await answers('anonymous')).toBe(1);
    clock.mockReturnValue(now + 59_000);
    timer.mockReturnValue(steady + 59_000);
    expect(await answers('carol')).toBe(1);
    // nothing reports the change, as nothing reports the end of a timed block
    await app.sql(`begin; set local session_replication_role = replica;
      update statuses set in_reply_to_id = null where id = '${ids['its answer']}'; commit`);
    clock.mockReturnValue(now - 3_600_000);
    timer.mockReturnValue(steady + 61_000);
    expect(await answers('carol')).toBe(0);
  });
});
