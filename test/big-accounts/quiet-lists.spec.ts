import type { ListJson } from '../../src/accounts/index.js';
import type { StatusJson } from '../../src/statuses/index.js';
import { makeFans, makeFollows, makeStatuses } from '../support/fixtures/factories.js';
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

/** 300 members more, of whom some write twice and some four times, and alice, who writes 400 posts between. Returns all posts. */
async function makeCrowd(): Promise<string[]> {
  const crowd = await makeFans(app, 300, 'quiet.test');
  await makeFollows(app, app.world.id('reader'), crowd);
  await app.sql(
    `insert into list_members (list_id, account_id, follow_id)
     select l.id, f.followee_id, f.id from lists l join follows f on f.follower_id = l.account_id where f.followee_id = any($1::text[])`,
    [crowd],
  );
  const posts = await makeStatuses(app, 'alice', 600);
  await makeStatuses(app, 'dave', 50);
  await app.sql(
    `update statuses set author_id = ($2::text[])[n % 100 * 3 + 1] from unnest($1::text[]) with ordinality post(id, n)
     where statuses.id = post.id and n % 3 = 0`,
    [posts, crowd],
  );
  return posts;
}

/** Pages until one is empty, each of one statement; `next` asks for what follows the last post in the order of `inOrder`. */
async function walk(
  next: (last: string | undefined) => Record<string, string | undefined>,
  inOrder: (page: string[]) => string[],
): Promise<string[]> {
  const seen: string[] = [];
  for (;;) {
    const { statements, ids } = await read({ limit: 40, ...next(seen.at(-1)) });
    expect(statements).toEqual(['first_look']);
    if (ids.length === 0) return seen;
    seen.push(...inOrder(ids));
  }
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
    await makeStatuses(app, 'alice', 240, { visibility: 3 });
    const page = await read({ limit: 40 });
    expect(page).toEqual({ statements: ['first_look', 'scan'], ids: old.slice(0, 40) });
  });

  it('takes one statement for each page of hundreds of members, both ways, and leaves out none', async () => {
    const posts = await makeCrowd();
    expect(posts).toHaveLength(600);
    const down = await walk(
      (last) => ({ max_id: last }),
      (page) => page,
    );
    expect(down).toEqual([...posts].reverse());
    const up = await walk(
      (last) => ({ min_id: last ?? '0' }),
      (page) => [...page].reverse(),
    );
    expect(up).toEqual(posts);
  });

  it('leaves out members who have not accepted, and boosts that the reader does not want', async () => {
    await makeStatuses(app, 'dave', 1);
    const [boosted] = await makeStatuses(app, 'dave', 1);
    const accepted = (await makeStatuses(app, 'bob', 2)).reverse();
    await makeStatuses(app, 'alice', 2);
    await app.sql(`update follows set state = 0 where followee_id = $1`, [app.world.id('alice')]);
    const boost = async (name: string) =>
      (await ok<StatusJson>((await app.world.as(name)).post(`/api/v1/statuses/${boosted}/reblog`))).id;
    await boost('bob');
    const wanted = await boost('carol');
    await app.sql(`update follows set reblogs = false where followee_id = $1`, [app.world.id('bob')]);
    expect((await read({})).ids).toEqual([wanted, ...accepted]);
  });
});
