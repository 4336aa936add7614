import type { Response } from 'supertest';
import { BlocksService } from '../../../src/accounts/index.js';
import { SettingsService } from '../../../src/config/index.js';
import { type ReblogJson, ReblogShape, type PlainStatusJson, PlainStatusShape } from '../../../src/statuses/index.js';
import { useApp } from '../../support/servers/app.js';
import { makeStatuses } from '../../support/fixtures/factories.js';
import { checkShape } from '../../support/shape.js';
import { expectCountersToMatchRows, ok, post, reblog } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

const PATH = '/api/v1/statuses';
const UNKNOWN = 'AAAAAAAAAAAAAAAAAA';
const FANS = Array.from({ length: 20 }, (_, n) => `fan${n}`);

const app = useApp({ people: ['alice', 'bob', 'carol'] });
let alice: Client;
let bob: Client;

beforeEach(async () => {
  alice = await app.world.as('alice');
  bob = await app.world.as('bob');
});

const act = (client: Client, id: string, verb: string, values = {}) => client.post(`${PATH}/${id}/${verb}`, values);
const seenBy = <Body = PlainStatusJson>(client: Client, id: string) => ok<Body>(client.get(`${PATH}/${id}`));
const count = async (table: string) => (await app.sql<{ n: number }>(`select count(*)::int as n from ${table}`))[0]!.n;
const expectAll = (answers: readonly { status: number }[], code: number) =>
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => code));

/** Follows the `Link` headers from page to page; returns what `pick` finds on each page. */
async function pages<Item>(client: Client, path: string, rel: 'next' | 'prev', pick: (item: Item) => string) {
  const found: string[][] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const answer: Response = await client.get(next).expect(200);
    const items = (answer.body as Item[]).map(pick);
    if (items.length === 0) return found;
    found.push(items);
    next = linkTo(answer, rel);
  }
  return found;
}

function linkTo(answer: Response, rel: string): string | undefined {
  return new RegExp(`<https://svc\\.test([^>]+)>; rel="${rel}"`).exec(answer.get('link') ?? '')?.[1];
}

describe('a favourite', () => {
  it('is shown to its owner and counted once for everyone', async () => {
    const { id } = await post(app, 'alice', 'tea');
    for (let time = 1; time <= 2; time += 1) {
      const body = await ok(act(bob, id, 'favourite'));
      expect(checkShape(PlainStatusShape, body)).toEqual([]);
      expect(body).toMatchObject({ id, favourited: true, favourites_count: 1 });
    }
    expect(await seenBy(alice, id)).toMatchObject({ favourited: false, favourites_count: 1 });
    for (let time = 1; time <= 2; time += 1) {
      expect(await ok(act(bob, id, 'unfavourite'))).toMatchObject({
        favourited: false,
        favourites_count: 0,
      });
    }
    await expectCountersToMatchRows(app);
  });

  it('of a boost applies to the boosted post', async () => {
    const { id } = await post(app, 'alice', 'tea');
    const boost = await reblog(app, 'carol', id);
    expect(await ok(act(bob, boost.id, 'favourite'))).toMatchObject({ id, favourited: true });
    expect(await seenBy(bob, boost.id)).toMatchObject({
      favourited: true,
      favourites_count: 0,
      reblog: { favourites_count: 1 },
    });
  });

  it('requires that the viewer may see the post and is not blocked by its author', async () => {
    const hidden = await post(app, 'alice', 'for followers', { visibility: 'private' });
    await act(bob, hidden.id, 'favourite').expect(404, { error: 'Record not found' });
    await act(bob, UNKNOWN, 'favourite').expect(404, { error: 'Record not found' });
    const { id } = await post(app, 'alice', 'for all');
    await app.get(BlocksService).block(app.world.id('alice'), app.world.id('bob'), {});
    await act(bob, id, 'favourite').expect(403, { error: 'Access denied' });
    await act(app.world.anonymous, id, 'favourite').expect(401);
    await act(await app.world.as('carol', 'read', 'write:statuses'), id, 'favourite').expect(403);
    expect(await count('favourites')).toBe(0);
  });
});

describe('a boost', () => {
  it('is made once by repeated requests, and can be removed and made again', async () => {
    const { id } = await post(app, 'alice', 'tea');
    const first = await ok<ReblogJson>(act(bob, id, 'reblog'));
    expect(checkShape(ReblogShape, first)).toEqual([]);
    const again = await ok<ReblogJson>(act(bob, id, 'reblog'));
    expect(again).toMatchObject({ id: first.id, reblog: { id, reblogged: true, reblogs_count: 1 } });
    for (let time = 1; time <= 2; time += 1) {
      expect(await ok(act(bob, id, 'unreblog'))).toMatchObject({
        id,
        reblogged: false,
        reblogs_count: 0,
      });
    }
    await bob.get(`${PATH}/${first.id}`).expect(404);
    expect((await ok<ReblogJson>(act(bob, id, 'reblog'))).id > first.id).toBe(true);
    await expectCountersToMatchRows(app);
  });

  it('of a boost applies to the boosted post', async () => {
    const { id } = await post(app, 'alice', 'tea');
    const boost = await reblog(app, 'carol', id);
    expect(await ok<ReblogJson>(act(bob, boost.id, 'reblog'))).toMatchObject({ reblog: { id, reblogs_count: 2 } });
    expect(await ok(act(bob, boost.id, 'unreblog'))).toMatchObject({ id, reblogs_count: 1 });
  });

  it.each([
    ['public', undefined, 'public'],
    ['public', 'unlisted', 'unlisted'],
    ['unlisted', undefined, 'unlisted'],
    ['unlisted', 'private', 'private'],
    ['local', 'public', 'local'],
    ['private', 'public', 'private'],
  ])('of an own %s post, requested as %s, becomes %s', async (visibility, wanted, becomes) => {
    const { id } = await post(app, 'alice', 'tea', { visibility });
    expect(await ok<ReblogJson>(act(alice, id, 'reblog', { visibility: wanted }))).toMatchObject({
      visibility: becomes,
    });
  });

  it('for followers is hidden from others, whether it boosts a public or an own private post', async () => {
    const { id } = await post(app, 'alice', 'tea');
    const quiet = await ok<ReblogJson>(act(bob, id, 'reblog', { visibility: 'private' }));
    const own = await post(app, 'alice', 'for followers', { visibility: 'private' });
    const ownReblog = await reblog(app, 'alice', own.id);
    await app.world.follow('carol', 'alice');
    const carol = await app.world.as('carol');
    await carol.get(`${PATH}/${quiet.id}`).expect(404);
    await app.world.anonymous.get(`${PATH}/${ownReblog.id}`).expect(404);
    expect(await seenBy(carol, ownReblog.id)).toMatchObject({ visibility: 'private', reblog: { id: own.id } });
    await carol.get(`${PATH}/${id}/reblogged_by`).expect(200, []);
  });

  it('of a direct post, or of a private post by another author, is refused', async () => {
    await app.world.follow('bob', 'alice');
    const refusals = [
      [alice, await post(app, 'alice', '@bob between us', { visibility: 'direct' })],
      [bob, await post(app, 'alice', '@bob between us', { visibility: 'direct' })],
      [bob, await post(app, 'alice', 'for followers', { visibility: 'private' })],
    ] as const;
    for (const [client, { id }] of refusals) {
      await act(client, id, 'reblog').expect(422, { error: 'Could not repeat' });
    }
    const carol = await app.world.as('carol');
    for (const [, { id }] of refusals) await act(carol, id, 'reblog').expect(404);
    const { id } = await post(app, 'alice', 'tea');
    await act(bob, id, 'reblog', { visibility: 'direct' }).expect(400);
    await act(app.world.anonymous, id, 'reblog').expect(401);
    expect(await app.sql('select from statuses where reblog_of_id is not null')).toEqual([]);
  });

  it('of a post whose author blocks the booster is refused', async () => {
    const { id } = await post(app, 'alice', 'tea');
    await app.get(BlocksService).block(app.world.id('alice'), app.world.id('bob'), {});
    await act(bob, id, 'reblog').expect(403, { error: 'Access denied' });
  });
});

it('counts favourites and boosts exactly under twenty concurrent requests, from one account and from twenty', async () => {
  await app.world.persons(...FANS);
  const fans = await Promise.all(FANS.map((fan) => app.world.as(fan)));
  const { id } = await post(app, 'alice', 'tea');
  for (const verb of ['favourite', 'reblog']) {
    expectAll(await Promise.all(FANS.map(() => act(bob, id, verb))), 200);
    expectAll(await Promise.all(fans.map((fan) => act(fan, id, verb))), 200);
  }
  expect(await seenBy(alice, id)).toMatchObject({ favourites_count: 21, reblogs_count: 21 });
  expect(await count('favourites')).toBe(21);
  for (const verb of ['unfavourite', 'unreblog']) {
    expectAll(await Promise.all(fans.flatMap((fan) => [act(fan, id, verb), act(fan, id, verb)])), 200);
  }
  expect(await seenBy(alice, id)).toMatchObject({ favourites_count: 1, reblogs_count: 1 });
  await expectCountersToMatchRows(app);
});

interface Named {
  readonly acct: string;
}

describe('favourited_by and reblogged_by', () => {
  const nickname = (account: Named) => account.acct;
  const names = async (client: Client, path: string) => (await ok<Named[]>(client.get(path))).map(nickname);

  beforeEach(() => app.world.persons('dora', 'emil'));

  it.each([
    ['favourite', 'favourited_by'],
    ['reblog', 'reblogged_by'],
  ])('list accounts in pages, the latest first (after a %s: %s)', async (verb, list) => {
    const { id } = await post(app, 'alice', 'tea');
    for (const fan of ['bob', 'carol', 'dora', 'emil']) await act(await app.world.as(fan), id, verb).expect(200);
    const path = `${PATH}/${id}/${list}`;
    const everybody = ['emil', 'dora', 'carol', 'bob'];
    expect((await pages(alice, `${path}?limit=3`, 'next', nickname)).flat()).toEqual(everybody);
    const first = await alice.get(path, { limit: 1, offset: 3 }).expect(200);
    expect((first.body as Named[]).map(nickname)).toEqual(['bob']);
    expect(await pages(alice, `${linkTo(first, 'prev')!}&limit=2`, 'prev', nickname)).toEqual([
      ['dora', 'carol'],
      ['emil'],
    ]);
  });

  it.each([
    ['favourite', 'favourited_by'],
    ['reblog', 'reblogged_by'],
  ])('exclude blocked, blocking and deactivated accounts (after a %s: %s)', async (verb, list) => {
    const { id } = await post(app, 'alice', 'tea');
    for (const fan of ['bob', 'carol', 'dora', 'emil']) await act(await app.world.as(fan), id, verb).expect(200);
    const blocks = app.get(BlocksService);
    await blocks.block(app.world.id('alice'), app.world.id('bob'), {});
    await blocks.block(app.world.id('carol'), app.world.id('alice'), {});
    await app.sql('update accounts set deactivated_at = now(), version = version + 1 where id = $1', [
      app.world.id('dora'),
    ]);
    const path = `${PATH}/${id}/${list}`;
    expect(await names(alice, path)).toEqual(['emil']);
    expect(await names(app.world.anonymous, path)).toEqual(['emil', 'carol', 'bob']);
  });

  it('return 404 to viewers who may not see the post', async () => {
    const { id } = await post(app, 'alice', '@carol between us', { visibility: 'direct' });
    await act(await app.world.as('carol'), id, 'favourite').expect(200);
    for (const list of ['favourited_by', 'reblogged_by']) {
      for (const client of [app.world.anonymous, bob]) {
        await client.get(`${PATH}/${id}/${list}`).expect(404, { error: 'Record not found' });
      }
    }
    expect(await names(alice, `${PATH}/${id}/favourited_by`)).toEqual(['carol']);
  });

  it('list no accounts while `instance.show_reactions` is off, and keep the numbers', async () => {
    const { id } = await post(app, 'alice', 'tea');
    await act(bob, id, 'favourite').expect(200);
    await act(bob, id, 'reblog').expect(200);
    const reactions = `/api/v1/svc/statuses/${id}/reactions`;
    await ok(bob.put(`${reactions}/${encodeURIComponent('🍵')}`));
    await app.get(SettingsService).update([{ path: 'instance.show_reactions', value: false }]);
    for (const client of [alice, bob, app.world.anonymous]) {
      for (const list of [reactions, `${reactions}/${encodeURIComponent('🍵')}`, `${PATH}/${id}/favourited_by`]) {
        expect(await ok(client.get(list))).toEqual([]);
      }
      expect(await names(client, `${PATH}/${id}/reblogged_by`)).toEqual(['bob']);
    }
    expect(await seenBy(alice, id)).toMatchObject({
      favourites_count: 1,
      svc: { emoji_reactions: [{ name: '🍵', count: 1, me: false }] },
    });
    const hidden = await post(app, 'alice', 'secret', { visibility: 'private' });
    await bob.get(`${PATH}/${hidden.id}/favourited_by`).expect(404);
    await bob.get(`/api/v1/svc/statuses/${hidden.id}/reactions`).expect(404);
  });
});

describe('the favourites of an account', () => {
  beforeEach(() => app.sql('update accounts set hide_favorites = false'));
  const pathOf = (name: string) => `/api/v1/svc/accounts/${app.world.id(name)}/favourites`;
  const seenOf = async (client: Client, name: string) =>
    (await ok<PlainStatusJson[]>(client.get(pathOf(name)))).map(({ id }) => id);

  it('are shown to everyone under both prefixes, the latest favourite first', async () => {
    const ids = await makeStatuses(app, 'alice', 4);
    const order = [2, 0, 3, 1].map((at) => ids[at]!);
    for (const id of order) await act(bob, id, 'favourite').expect(200);
    const latest = order.toReversed();
    for (const client of [app.world.anonymous, alice, bob]) {
      expect(await seenOf(client, 'bob')).toEqual(latest);
      expect(await pages(client, `${pathOf('bob')}?limit=2`, 'next', ({ id }: PlainStatusJson) => id)).toEqual([
        latest.slice(0, 2),
        latest.slice(2),
      ]);
    }
    expect((await app.http.get(`/api/svc/accounts/bob/favourites?limit=1`).expect(200)).body).toHaveLength(1);
    expect(await ok<PlainStatusJson[]>(bob.get(pathOf('bob')))).toMatchObject(
      latest.map((id) => ({ id, favourited: true })),
    );
    expect(await ok<PlainStatusJson[]>(alice.get(pathOf('bob')))).toMatchObject(
      latest.map((id) => ({ id, favourited: false })),
    );
  });

  it('include only posts that the viewer may see', async () => {
    await app.world.follow('bob', 'alice');
    const secret = await post(app, 'alice', 'for followers', { visibility: 'private' });
    const open = await post(app, 'alice', 'for all');
    for (const { id } of [secret, open]) await act(bob, id, 'favourite').expect(200);
    expect(await seenOf(bob, 'bob')).toEqual([open.id, secret.id]);
    expect(await seenOf(alice, 'bob')).toEqual([open.id, secret.id]);
    expect(await seenOf(app.world.anonymous, 'bob')).toEqual([open.id]);
    expect(await seenOf(await app.world.as('bob', 'read:statuses'), 'bob')).toEqual([open.id]);
    expect(await seenOf(await app.world.as('carol'), 'bob')).toEqual([open.id]);
    await app.get(BlocksService).block(app.world.id('carol'), app.world.id('alice'));
    expect(await seenOf(await app.world.as('carol'), 'bob')).toEqual([]);
  });

  it('V11 are refused to everyone but the owner while the account hides them, which is the default', async () => {
    const { id } = await post(app, 'alice', 'for all');
    await act(bob, id, 'favourite').expect(200);
    await app.sql('update accounts set hide_favorites = default');
    for (const client of [app.world.anonymous, alice]) {
      expect((await client.get(pathOf('bob')).expect(403)).body).toEqual({ error: "Can't get favorites" });
    }
    expect(await seenOf(bob, 'bob')).toEqual([id]);
  });

  it('return 404 for a deactivated or unknown account', async () => {
    await app.sql('update accounts set deactivated_at = now() where id = $1', [app.world.id('bob')]);
    await alice.get(pathOf('bob')).expect(404);
    await alice.get('/api/v1/svc/accounts/nobody/favourites').expect(404);
  });
});

describe("the caller's favourites", () => {
  const idOf = ({ id }: PlainStatusJson) => id;
  const favourites = async (client: Client, query = {}) =>
    (await ok<PlainStatusJson[]>(client.get('/api/v1/favourites', query))).map(idOf);

  it('are listed in pages, the latest favourite first', async () => {
    const ids = await makeStatuses(app, 'alice', 5);
    const order = [2, 0, 4, 1, 3].map((at) => ids[at]!);
    for (const id of order) await act(bob, id, 'favourite').expect(200);
    const latest = order.toReversed();
    expect(await pages(bob, '/api/v1/favourites?limit=2', 'next', idOf)).toEqual([
      latest.slice(0, 2),
      latest.slice(2, 4),
      latest.slice(4),
    ]);
    expect(await favourites(bob, { limit: 2, offset: 1 })).toEqual(latest.slice(1, 3));
    expect(await favourites(alice)).toEqual([]);
  });

  it('exclude posts that the caller may no longer see', async () => {
    await app.world.follow('bob', 'alice');
    const { id } = await post(app, 'alice', 'for followers', { visibility: 'private' });
    await act(bob, id, 'favourite').expect(200);
    expect(await favourites(bob)).toEqual([id]);
    await app.get(BlocksService).block(app.world.id('alice'), app.world.id('bob'), {});
    expect(await favourites(bob)).toEqual([]);
  });

  it('require the scope read:favourites', async () => {
    await app.world.anonymous.get('/api/v1/favourites').expect(401);
    await (await app.world.as('bob', 'read:statuses')).get('/api/v1/favourites').expect(403);
    await (await app.world.as('bob', 'read:favourites')).get('/api/v1/favourites').expect(200);
  });

  it('ignore invalid cursors', async () => {
    const [id] = await makeStatuses(app, 'alice', 1);
    await act(bob, id!, 'favourite').expect(200);
    for (const cursor of ['abc', '-1', '99999999999999999999', '1.5']) {
      expect(await favourites(bob, { max_id: cursor })).toEqual([id]);
    }
  });
});
