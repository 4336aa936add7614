import { BlocksService } from '../../../src/accounts/index.js';
import { type ContextJson, ContextShape, Visibility } from '../../../src/statuses/index.js';
import { useApp } from '../../support/servers/app.js';
import { makeStatuses } from '../../support/fixtures/factories.js';
import { checkShape } from '../../support/shape.js';
import { ok, post, reblog } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

const app = useApp({ people: ['alice', 'bob', 'carol'] });

const names = new Map<string, string>();
const answer = async (author: string, name: string, to: string | undefined, options = {}): Promise<string> => {
  const { id } = await post(app, author, name, { in_reply_to_id: to, ...options });
  names.set(id, name);
  return id;
};
const contextOf = (client: Client, id: string) => ok<ContextJson>(client.get(`/api/v1/statuses/${id}/context`));
const around = async (client: Client, id: string) => {
  const context = await contextOf(client, id);
  expect(checkShape(ContextShape, context)).toEqual([]);
  const named = (side: keyof ContextJson) => context[side].map((status) => names.get(status.id));
  return { ancestors: named('ancestors'), descendants: named('descendants') };
};

describe('the context of a post', () => {
  it('lists its ancestors from the root and its descendants depth-first', async () => {
    const root = await answer('alice', 'root', undefined);
    const one = await answer('bob', 'one', root);
    const two = await answer('carol', 'two', root);
    const oneOne = await answer('alice', 'one.one', one);
    await answer('alice', 'two.one', two);
    await answer('bob', 'one.two', one);
    const deep = await answer('carol', 'one.one.one', oneOne);
    const { anonymous } = app.world;
    expect(await around(anonymous, root)).toEqual({
      ancestors: [],
      descendants: ['one', 'one.one', 'one.one.one', 'one.two', 'two', 'two.one'],
    });
    expect(await around(anonymous, one)).toEqual({
      ancestors: ['root'],
      descendants: ['one.one', 'one.one.one', 'one.two'],
    });
    expect(await around(anonymous, deep)).toEqual({ ancestors: ['root', 'one', 'one.one'], descendants: [] });
  });

  it.each([
    ['all of them', 800_000, ['root', 'parent'], ['child', 'grandchild', 'next grandchild']],
    ['without the farthest', 900_000, ['root', 'parent'], ['child', 'grandchild']],
    ['the nearest only', 1_500_000, ['parent'], ['child']],
    ['none, when the first is too long', 5_000_000, [], []],
  ])('is limited to four megabytes of content: %s', async (_which, bytes, ancestors, descendants) => {
    const root = await answer('alice', 'root', undefined);
    const parent = await answer('bob', 'parent', root);
    const middle = await answer('carol', 'middle', parent);
    const child = await answer('alice', 'child', middle);
    await answer('bob', 'grandchild', child);
    await answer('bob', 'next grandchild', child);
    await app.sql(`update statuses set content_html = repeat('x', $1), content_text = '', version = version + 1`, [
      bytes,
    ]);
    for (const client of [app.world.anonymous, await app.world.as('alice')])
      expect(await around(client, middle)).toEqual({ ancestors, descendants });
  });

  it('of a boost is that of the boosted post', async () => {
    const root = await answer('alice', 'root', undefined);
    const one = await answer('bob', 'one', root);
    await answer('alice', 'one.one', one);
    const boost = await reblog(app, 'carol', one);
    expect(await around(app.world.anonymous, boost.id)).toEqual({ ancestors: ['root'], descendants: ['one.one'] });
  });

  it('skips posts that the viewer may not see, and includes the posts beyond them', async () => {
    const root = await answer('alice', 'root', undefined);
    const quiet = await answer('bob', 'for followers', root, { visibility: 'private' });
    const open = await answer('carol', '@bob open', quiet, { visibility: 'public' }).catch(() => undefined);
    expect(open).toBeUndefined(); // carol does not follow bob
    await app.world.follow('carol', 'bob');
    const loud = await answer('carol', 'open', quiet, { visibility: 'public' });
    expect(await around(app.world.anonymous, root)).toEqual({ ancestors: [], descendants: ['open'] });
    expect(await around(app.world.anonymous, loud)).toEqual({ ancestors: ['root'], descendants: [] });
    expect(await around(await app.world.as('carol'), loud)).toEqual({
      ancestors: ['root', 'for followers'],
      descendants: [],
    });
  });

  it('excludes blocking accounts and blocked domains, but includes muted accounts', async () => {
    const root = await answer('alice', 'root', undefined);
    await answer('bob', 'by bob', root);
    await answer('carol', 'by carol', root);
    const zoe = await app.world.remote('zoe', 'far.test');
    const [remote] = await makeStatuses(app, zoe.nickname, 1);
    await app.sql('update statuses set in_reply_to_id = $2, local = false where id = $1', [remote, root]);
    names.set(remote!, 'by zoe');
    const alice = await app.world.as('alice');
    expect((await around(alice, root)).descendants).toEqual(['by bob', 'by carol', 'by zoe']);
    const blocks = app.get(BlocksService);
    await blocks.mute(app.world.id('alice'), app.world.id('bob'), { notifications: true });
    await blocks.block(app.world.id('carol'), app.world.id('alice'), {});
    await app.sql(`insert into domain_blocks (account_id, domain) values ($1, 'far.test')`, [app.world.id('alice')]);
    expect((await around(alice, root)).descendants).toEqual(['by bob']);
    expect((await contextOf(alice, root)).descendants).toMatchObject([{ muted: true }]);
    expect((await around(app.world.anonymous, root)).descendants).toEqual(['by bob', 'by carol', 'by zoe']);
  });

  it('returns 404 to viewers who may not see the post', async () => {
    const { id } = await post(app, 'alice', 'mine', { visibility: 'direct' });
    for (const client of [app.world.anonymous, await app.world.as('bob')]) {
      await client.get(`/api/v1/statuses/${id}/context`).expect(404, { error: 'Record not found' });
    }
    await app.world.anonymous.get('/api/v1/statuses/AAAAAAAAAAAAAAAAAA/context').expect(404);
  });

  it('of a boost returns 404 to viewers who may not see the boost', async () => {
    await app.world.follow('bob', 'carol');
    const root = await answer('alice', 'root', undefined);
    await answer('bob', 'reply', root);
    const carol = await app.world.as('carol');
    const boost = await ok(carol.post(`/api/v1/statuses/${root}/reblog`, { visibility: 'private' }));
    expect(await around(await app.world.as('bob'), boost.id)).toEqual({ ancestors: [], descendants: ['reply'] });
    for (const client of [app.world.anonymous, await app.world.as('alice')]) {
      await client.get(`/api/v1/statuses/${boost.id}/context`).expect(404, { error: 'Record not found' });
    }
  });

  it('is not cut short by replies that the viewer may not see', async () => {
    const root = await answer('alice', 'root', undefined);
    const whispers = await makeStatuses(app, 'bob', 100, { visibility: Visibility.direct });
    await app.sql('update statuses set in_reply_to_id = $1 where id = any($2::text[])', [root, whispers]);
    await answer('carol', 'open', root);
    expect(await around(app.world.anonymous, root)).toEqual({ ancestors: [], descendants: ['open'] });
  });

  it('of posts that answer each other holds each of them once', async () => {
    const one = await answer('alice', 'one', undefined);
    const two = await answer('bob', 'two', one);
    const three = await answer('carol', 'three', two);
    await answer('alice', 'four', two);
    await app.sql('update statuses set in_reply_to_id = $1 where id = $2', [three, one]);
    const { anonymous } = app.world;
    expect(await around(anonymous, one)).toEqual({ ancestors: ['two', 'three'], descendants: ['four'] });
    expect(await around(anonymous, two)).toEqual({ ancestors: ['three', 'one'], descendants: ['four'] });
    await app.sql('update statuses set in_reply_to_id = id where id = $1', [one]);
    expect(await around(anonymous, one)).toEqual({ ancestors: [], descendants: ['two', 'three', 'four'] });
  });

  it('of a long thread is limited to 40 ancestors and 60 descendants for anonymous viewers, 100 and 300 for users', async () => {
    const ids = await makeStatuses(app, 'alice', 500);
    await app.sql(
      `update statuses s set in_reply_to_id = chain.parent from (
         select id, lag(id) over (order by id) as parent from statuses) chain where chain.id = s.id`,
    );
    const counts = async (client: Client) => {
      const { ancestors, descendants } = await contextOf(client, ids[150]!);
      expect(ancestors.at(-1)?.id).toBe(ids[149]);
      expect(descendants[0]?.id).toBe(ids[151]);
      return [ancestors.length, descendants.length];
    };
    expect(await counts(app.world.anonymous)).toEqual([40, 60]);
    expect(await counts(await app.world.as('bob'))).toEqual([100, 300]);
  });
});
