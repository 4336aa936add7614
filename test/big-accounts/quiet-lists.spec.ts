import type { ListJson } from '../../src/accounts/index.js';
import type { StatusJson } from '../../src/statuses/index.js';
import { makeFollows, makeStatuses } from '../support/fixtures/factories.js';
import { ok } from '../support/fixtures/statuses.js';
import type { Client } from '../support/fixtures/world.js';
import { countQueries } from '../support/queries.js';
import { useApp } from '../support/servers/app.js';

const MEMBERS = ['alice', 'bob', 'carol'];

const app = useApp({ people: ['reader', ...MEMBERS, 'dave'] });
let reader: Client;
let path: string;

beforeEach(async () => {
  reader = await app.world.as('reader');
  await makeFollows(
    app,
    app.world.id('reader'),
    MEMBERS.map((name) => app.world.id(name)),
  );
  const { id } = await ok<ListJson>(reader.post('/api/v1/lists', { title: 'quiet' }));
  const account_ids = MEMBERS.map((name) => app.world.id(name));
  await reader.post(`/api/v1/lists/${id}/accounts`, { account_ids }).expect(200);
  path = `/api/v1/timelines/list/${id}`;
});

/** The statements that a page takes, without their direction, and the ids of its posts. */
async function read(
  query: Record<string, string | number | undefined>,
): Promise<{ statements: string[]; ids: string[] }> {
  const { statements, result } = await countQueries(() => ok<StatusJson[]>(reader.get(path, query)));
  const pages = statements.flatMap((name) => /^timelines\.list\.(\w+)/.exec(name)?.[1] ?? []);
  return { statements: pages, ids: result.map(({ id }) => id) };
}

describe('the timeline of a list', () => {
  it('takes one statement where its members write little and others much, both ways', async () => {
    const posts = (await makeStatuses(app, MEMBERS, 90)).reverse();
    await makeStatuses(app, 'dave', 50);
    const first = await read({ limit: 40 });
    expect(first).toEqual({ statements: ['first_look'], ids: posts.slice(0, 40) });
    const second = await read({ limit: 40, max_id: first.ids.at(-1) });
    expect(second).toEqual({ statements: ['first_look'], ids: posts.slice(40, 80) });
    expect(await read({ limit: 40, min_id: posts[89] })).toEqual({
      statements: ['first_look'],
      ids: posts.slice(49, 89),
    });
  });

  it('takes one statement at its end, and while it is empty', async () => {
    expect(await read({})).toEqual({ statements: ['first_look'], ids: [] });
    const posts = (await makeStatuses(app, MEMBERS, 5)).reverse();
    expect(await read({ max_id: posts[2] })).toEqual({ statements: ['first_look'], ids: posts.slice(3) });
    expect(await read({ since_id: posts[0] })).toEqual({ statements: ['first_look'], ids: [] });
  });

  it('looks further where the first posts of a member do not match, and leaves out none', async () => {
    const old = (await makeStatuses(app, MEMBERS, 60)).reverse();
    await makeStatuses(app, 'alice', 50, { visibility: 3 });
    const page = await read({ limit: 40 });
    expect(page).toEqual({ statements: ['first_look', 'scan'], ids: old.slice(0, 40) });
  });
});
