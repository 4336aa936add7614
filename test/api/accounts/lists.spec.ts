import type supertest from 'supertest';
import { BlocksService, FollowsService, type ListJson, ListShape } from '../../../src/accounts/index.js';
import { useApp } from '../../support/servers/app.js';
import { makeFans, makeFollows } from '../../support/fixtures/factories.js';
import { checkShape } from '../../support/shape.js';
import { ok } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

const PATH = '/api/v1/lists';
const MISSING = { error: 'List not found' };
const UNKNOWN = '9223372036854775807';

const app = useApp({ people: ['alice', 'bob', 'carol', 'dave', 'mallory'] });
let alice: Client;
let mallory: Client;

beforeEach(async () => {
  await app.world.follow('alice', 'bob');
  await app.world.follow('alice', 'carol');
  [alice, mallory] = [await app.world.as('alice'), await app.world.as('mallory')];
});

const id = (nickname: string) => app.world.id(nickname);
const make = (title = 'friends', options = {}, owner = alice) => ok<ListJson>(owner.post(PATH, { title, ...options }));
const add = (list: ListJson, ...people: string[]) =>
  alice.post(`${PATH}/${list.id}/accounts`, { account_ids: people.map(id) });
const members = async (list: ListJson, query = {}) =>
  (await ok<{ username: string }[]>(alice.get(`${PATH}/${list.id}/accounts`, query))).map(({ username }) => username);

describe('a list', () => {
  it('is created, shown, changed and deleted', async () => {
    const list = await make();
    expect(checkShape(ListShape, list)).toEqual([]);
    expect(list).toEqual({ id: expect.any(String), title: 'friends', replies_policy: 'list', exclusive: false });
    const chosen = await make('work', { exclusive: 'true', replies_policy: 'none' });
    expect(chosen).toMatchObject({ title: 'work', replies_policy: 'none', exclusive: true });
    expect(await ok(alice.get(PATH))).toEqual([list, chosen]);
    const changed = await ok(alice.put(`${PATH}/${list.id}`, { title: 'Freunde', exclusive: true }));
    expect(changed).toEqual({ ...list, title: 'Freunde', exclusive: true });
    expect(await ok(alice.put(`${PATH}/${list.id}`, { title: 'Freunde' }))).toEqual(changed);
    expect(await ok(alice.put(`${PATH}/${list.id}`, {}))).toEqual(changed);
    expect(await ok(alice.put(`${PATH}/${list.id}`, { exclusive: false }))).toEqual({ ...changed, exclusive: false });
    await alice.put(`${PATH}/${list.id}`, { exclusive: true, title: '' }).expect(422);
    await alice.put(`${PATH}/${list.id}`, { exclusive: true }).expect(200, changed);
    expect(await ok(alice.get(`${PATH}/${list.id}`))).toEqual(changed);
    expect(await ok(alice.delete(`${PATH}/${list.id}`))).toEqual({});
    await alice.delete(`${PATH}/${list.id}`).expect(404, MISSING);
    expect(await ok(alice.get(PATH))).toEqual([chosen]);
  });

  it.each([
    [{ title: ' ' }, 422],
    [{ title: 'x'.repeat(256) }, 422],
    [{ title: 'x', replies_policy: 'all' }, 400],
  ])('cannot be created or changed with %j', async (body, status) => {
    const { id: known } = await make();
    await alice.post(PATH, body).expect(status);
    await alice.put(`${PATH}/${known}`, body).expect(status);
    await alice.post(PATH, {}).expect(400);
    expect(await ok(alice.get(PATH))).toHaveLength(1);
  });

  it('V8 is not found by other accounts', async () => {
    const list = await make();
    await add(list, 'bob').expect(200);
    await app.world.follow('mallory', 'bob');
    const accounts = { account_ids: [id('bob')] };
    for (const [one, person] of [
      [list.id, mallory],
      [UNKNOWN, alice],
      ['99999999999999999999', alice],
      ['x', alice],
    ] as const) {
      await person.get(`${PATH}/${one}`).expect(404, MISSING);
      await person.put(`${PATH}/${one}`, { title: 'mine' }).expect(404, MISSING);
      await person.delete(`${PATH}/${one}`).expect(404, MISSING);
      await person.get(`${PATH}/${one}/accounts`).expect(404, MISSING);
      await person.post(`${PATH}/${one}/accounts`, accounts).expect(404, MISSING);
      await person.delete(`${PATH}/${one}/accounts`, accounts).expect(404, MISSING);
    }
    expect(await ok(mallory.get(PATH))).toEqual([]);
    expect(await ok(mallory.get(`/api/v1/accounts/${id('bob')}/lists`))).toEqual([]);
    expect(await ok(alice.get(`${PATH}/${list.id}`))).toEqual(list);
    expect(await members(list)).toEqual(['bob']);
  });

  it('is one of at most a hundred, even when many are created at once', async () => {
    await app.sql(`insert into lists (account_id, title) select $1, n::text from generate_series(1, 95) n`, [
      id('alice'),
    ]);
    const answers = await Promise.all(Array.from({ length: 20 }, () => alice.post(PATH, { title: 'one more' })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(15);
    expect(await ok(alice.get(PATH))).toHaveLength(100);
    await make('hers', {}, mallory);
  });
});

describe('the members of a list', () => {
  it('are followees, requested accounts and the owner; a request adds all named accounts or none', async () => {
    const list = await make();
    expect(await ok(add(list, 'bob'))).toEqual({});
    await add(list, 'bob', 'carol', 'bob').expect(200);
    expect(await members(list)).toEqual(['carol', 'bob']);
    await app.world.person('lara', { locked: true });
    await app.world.follow('alice', 'lara');
    const other = await make('others');
    await add(other, 'bob', 'dave').expect(422, { error: 'You do not follow all of these accounts' });
    expect(await members(other)).toEqual([]);
    const wide = await make('wide');
    for (const member of ['lara', 'alice', 'alice']) await add(wide, 'bob', member).expect(200);
    expect(await members(wide)).toEqual(['alice', 'lara', 'bob']);
    await ok(alice.post(`/api/v1/accounts/${id('lara')}/unfollow`));
    expect(await members(wide)).toEqual(['alice', 'bob']);
    await ok(alice.delete(`${PATH}/${wide.id}`));
    await alice.post(`${PATH}/${other.id}/accounts`).expect(400);
    expect(await members(other)).toEqual([]);
    expect(await ok(alice.get('/api/v1/accounts/bob/lists'))).toEqual([list]);
    expect(await ok(alice.get(`/api/v1/accounts/${id('dave')}/lists`))).toEqual([]);
    await alice.get('/api/v1/accounts/nobody/lists').expect(404);
  });

  it('can be removed with a body or a query', async () => {
    const list = await make();
    await add(list, 'bob', 'carol').expect(200);
    expect(await ok(alice.delete(`${PATH}/${list.id}/accounts`, { account_ids: [id('bob')] }))).toEqual({});
    expect(await members(list)).toEqual(['carol']);
    await alice
      .delete(`${PATH}/${list.id}/accounts?account_ids[]=${id('carol')}&account_ids[]=${id('dave')}`)
      .expect(200);
    expect(await members(list)).toEqual([]);
    await alice.delete(`${PATH}/${list.id}/accounts`).expect(400);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['is followed no more', () => app.get(FollowsService).unfollow(id('alice'), id('bob'))],
    ['is blocked', () => app.get(BlocksService).block(id('alice'), id('bob'))],
    ['blocks the owner', () => app.get(BlocksService).block(id('bob'), id('alice'))],
    ['takes the owner off the followers', () => app.get(FollowsService).removeFollower(id('bob'), id('alice'))],
  ])('V10 no longer include an account that %s', async (_, end) => {
    const list = await make();
    await add(list, 'bob', 'carol').expect(200);
    await end();
    expect(await members(list)).toEqual(['carol']);
    expect(await app.sql('select from list_members')).toHaveLength(1);
    await app.sql('delete from blocks');
    await app.world.follow('alice', 'bob');
    expect(await members(list)).toEqual(['carol']);
  });

  it('V15 are hidden while they are deactivated', async () => {
    const list = await make();
    await add(list, 'bob', 'carol').expect(200);
    await app.sql('update accounts set deactivated_at = now() where id = $1', [id('bob')]);
    expect(await members(list)).toEqual(['carol']);
  });

  it('are read page by page, or all at once with a limit of 0', async () => {
    const list = await make();
    const fans = await makeFans(app, 45);
    await makeFollows(app, id('alice'), fans);
    await alice.post(`${PATH}/${list.id}/accounts`, { account_ids: fans }).expect(200);
    const newestFirst = await members(list, { limit: 0 });
    expect(newestFirst).toHaveLength(45);
    expect(await members(list, { limit: 2, offset: 3 })).toEqual(newestFirst.slice(3, 5));
    const first = await alice.get(`${PATH}/${list.id}/accounts`).expect(200);
    expect(first.body).toHaveLength(20);
    const { search } = new URL(/<([^>]+)>; rel="next"/.exec(first.get('link')!)![1]!);
    expect(await members(list, Object.fromEntries(new URLSearchParams(search)))).toEqual(newestFirst.slice(20, 40));
    expect((await alice.get(`${PATH}/${list.id}/accounts`, { limit: 0 })).get('link')).toBeUndefined();
  });

  it('are limited to a thousand', async () => {
    const list = await make();
    await app.sql(
      `with people as (insert into accounts (id, nickname, domain, ap_id)
         select lpad(n::text, 18, '0'), 'p' || n, 'many.test', 'https://many.test/' || n from generate_series(1, 999) n returning id),
       followed as (insert into follows (follower_id, followee_id) select $1, id from people returning id, followee_id)
       insert into list_members (list_id, account_id, follow_id) select $2, followee_id, id from followed`,
      [id('alice'), list.id],
    );
    await add(list, 'bob').expect(200);
    await add(list, 'carol').expect(422);
    await add(list, 'bob').expect(200);
  });
});

describe('D4 concurrent requests', () => {
  it('add an account once when twenty requests add it', async () => {
    const list = await make();
    const answers = await Promise.all(Array.from({ length: 20 }, () => add(list, 'bob', 'carol')));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await app.sql('select from list_members')).toHaveLength(2);
  });

  it('delete a list, add members and unfollow without errors or leftovers', async () => {
    const lists = await Promise.all([1, 2, 3, 4, 5].map((number) => make(`list ${number}`)));
    const actions = lists.flatMap((list) => [
      () => add(list, 'bob', 'carol'),
      () => alice.delete(`${PATH}/${list.id}`),
      () => alice.post(`/api/v1/accounts/${id('bob')}/unfollow`),
      () => add(list, 'carol'),
      () => alice.delete(`${PATH}/${list.id}/accounts`, { account_ids: [id('carol'), id('bob')] }),
    ]);
    const answers = await Promise.all(actions.map((action) => action()));
    const isFine = ({ status, body }: supertest.Response) =>
      [200, 404, 422].includes(status) || (body as { error?: string }).error === 'Not subscribed!';
    expect(answers.filter((answer) => !isFine(answer))).toEqual([]); // one of the unfollows finds a follow
    expect(await app.sql('select from list_members')).toEqual([]);
  });
});
