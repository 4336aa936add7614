import type { PlainStatusJson } from '../../../src/statuses/index.js';
import { useApp } from '../../support/servers/app.js';
import { makeStatuses } from '../../support/fixtures/factories.js';
import { expectCountersToMatchRows, ok, post, reblog } from '../../support/fixtures/statuses.js';

const PATH = '/api/v1/statuses';
const PREFIXES = ['/api/v1/svc', '/api/svc'];
const UNKNOWN = 'AAAAAAAAAAAAAAAAAA';
const NO_QUOTE = { quote: null, quote_id: null, quote_url: null, quote_visible: false };

const app = useApp({ people: ['alice', 'bob', 'carol'] });

const shown = async (viewer: string | undefined, id: string): Promise<PlainStatusJson> => {
  const client = viewer === undefined ? app.world.anonymous : await app.world.as(viewer);
  return ok(client.get(`${PATH}/${id}`));
};
const relate = (verb: string, from: string, to: string) =>
  app.world.as(from).then((client) => client.post(`/api/v1/accounts/${app.world.id(to)}/${verb}`).expect(200));

describe('quoting a post', () => {
  it('embeds it in the new post, one level deep, and counts the quote', async () => {
    const first = await post(app, 'alice', 'tea');
    expect(first).toMatchObject({ quote_id: null, quotes_count: 0, svc: { ...NO_QUOTE, quotes_count: 0 } });
    const second = await post(app, 'bob', 'so true', { quote_id: first.id });
    expect(second.quote_id).toBe(first.id);
    expect(second.svc).toMatchObject({ quote_id: first.id, quote_url: first.uri, quote_visible: true });
    expect(second.svc.quote).toMatchObject({ id: first.id, content: first.content, quotes_count: 1 });
    expect(first.quote).toBeNull();
    expect(second.quote).toEqual({ state: 'accepted', quoted_status: second.svc.quote });
    const third = await post(app, 'carol', 'so so true', { quoted_status_id: second.id });
    expect(third.svc.quote).toMatchObject({
      id: second.id,
      quote: { state: 'accepted', quoted_status_id: first.id },
      quote_id: first.id,
      svc: { quote: null, quote_id: first.id, quote_url: first.uri, quote_visible: false },
    });
    expect(await shown(undefined, first.id)).toMatchObject({ quotes_count: 1, svc: { quotes_count: 1 } });
    await expectCountersToMatchRows(app);
  });

  it('by the id of a boost quotes the boosted post; a boost of the quoting post shows the quote', async () => {
    const { id } = await post(app, 'alice', 'tea');
    const quoting = await post(app, 'carol', 'true', { quote_id: (await reblog(app, 'bob', id)).id });
    expect(quoting.quote_id).toBe(id);
    const boost = await reblog(app, 'bob', quoting.id);
    expect(boost).toMatchObject({ quote: null, quote_id: null });
    expect(boost.reblog.svc.quote).toMatchObject({ id });
  });

  it('in a preview shows the quote but does not count it', async () => {
    const { id } = await post(app, 'alice', 'tea');
    const preview = await post(app, 'bob', 'true', { quote_id: id, preview: true });
    expect(preview.svc).toMatchObject({ quote: { id }, quote_id: id, quote_visible: true });
    expect((await shown(undefined, id)).quotes_count).toBe(0);
    const second = await post(app, 'bob', 'true', { quote_id: id });
    const third = await post(app, 'carol', 'so true', { quote_id: second.id, preview: true });
    expect(third.svc.quote).toMatchObject({ quote: { state: 'accepted', quoted_status_id: id }, svc: { quote: null } });
  });

  it('in a direct post is not counted', async () => {
    const { id } = await post(app, 'alice', 'tea');
    await post(app, 'bob', '@carol look', { quote_id: id, visibility: 'direct' });
    expect((await shown(undefined, id)).quotes_count).toBe(0);
    await expectCountersToMatchRows(app);
  });

  it.each<[string, string, string, number]>([
    ['public', 'bob', 'private', 200],
    ['unlisted', 'bob', 'public', 200],
    ['local', 'bob', 'public', 200],
    ['private', 'alice', 'private', 200],
    ['private', 'alice', 'public', 422],
    ['private', 'bob', 'private', 422],
    ['private', 'carol', 'private', 404],
    ['direct', 'alice', 'private', 422],
    ['direct', 'bob', 'direct', 422],
  ])(
    'with visibility %s by %s, in a new post with visibility %s, returns %s',
    async (visibility, person, own, status) => {
      await app.world.follow('bob', 'alice');
      const { id } = await post(app, 'alice', '@bob tea', { visibility });
      const client = await app.world.as(person);
      await client.post(PATH, { status: 'look', quote_id: id, visibility: own }).expect(status);
      await expectCountersToMatchRows(app);
      expect(await app.sql('select from statuses where quote_of_id is not null')).toHaveLength(status === 200 ? 1 : 0);
    },
  );

  it.each<[string, string, number]>([
    ['public', 'bob', 200],
    ['followers', 'bob', 200],
    ['followers', 'carol', 422],
    ['nobody', 'bob', 422],
    ['nobody', 'alice', 200],
  ])('follows the choice %s of the author: %s gets %i', async (choice, person, status) => {
    await app.world.follow('bob', 'alice');
    const [alice, client] = [await app.world.as('alice'), await app.world.as(person)];
    const values = { status: 'tea', quote_approval_policy: choice };
    const posts = [await post(app, 'alice', 'coffee'), await post(app, 'alice', 'coffee')];
    const chosen = [
      await ok(alice.post(PATH, values)),
      await ok(alice.put(`${PATH}/${posts[0]!.id}`, values)),
      await ok(alice.put(`${PATH}/${posts[1]!.id}/interaction_policy`, values)),
    ];
    for (const { id } of chosen) await client.post(PATH, { status: 'look', quote_id: id }).expect(status);
  });

  it.each([{}, { quote_approval_policy: 'everybody' }])(
    'refuses an unknown choice of who may quote: %j',
    async (values) => {
      const { id } = await post(app, 'alice', 'tea');
      await (await app.world.as('alice')).put(`${PATH}/${id}/interaction_policy`, values).expect(422);
    },
  );

  it('is refused when the post does not exist or its author blocks the viewer', async () => {
    const { id } = await post(app, 'alice', 'tea');
    const bob = await app.world.as('bob');
    await bob.post(PATH, { status: 'look', quote_id: UNKNOWN }).expect(404);
    await relate('block', 'alice', 'bob');
    await bob.post(PATH, { status: 'look', quote_id: id }).expect(403);
  });
});

describe('a quote', () => {
  it('is removed with the quoted post except for its URL, and is not counted after its own post is deleted', async () => {
    const first = await post(app, 'alice', 'tea');
    const second = await post(app, 'bob', 'true', { quote_id: first.id });
    const third = await post(app, 'bob', 'true again', { quote_id: first.id });
    await (await app.world.as('bob')).delete(`${PATH}/${second.id}`).expect(200);
    expect((await shown(undefined, first.id)).quotes_count).toBe(1);
    await expectCountersToMatchRows(app);
    await (await app.world.as('alice')).delete(`${PATH}/${first.id}`).expect(200);
    const left = await shown('carol', third.id);
    expect(left.quote_id).toBeNull();
    expect(left.quote).toEqual({ state: 'deleted', quoted_status: null });
    expect(left.svc).toMatchObject({ ...NO_QUOTE, quote_url: first.uri });
  });

  it('of a post of another server ends with that post too', async () => {
    const { id: zoe } = await app.world.remote('zoe', 'far.test');
    const [id] = await makeStatuses(app, 'bob', 1);
    await app.sql(`update statuses set author_id = $2, local = false, uri = 'https://far.test/1' where id = $1`, [
      id,
      zoe,
    ]);
    const quoting = await post(app, 'alice', 'true', { quote_id: id });
    await app.sql('delete from statuses where id = $1', [id]);
    expect((await shown('alice', quoting.id)).quote).toEqual({ state: 'deleted', quoted_status: null });
  });

  it('survives an edit of the quoting post', async () => {
    const first = await post(app, 'alice', 'tea');
    const { id } = await post(app, 'bob', 'true', { quote_id: first.id });
    const bob = await app.world.as('bob');
    const edited = await ok(bob.put(`${PATH}/${id}`, { status: 'truer' }));
    expect(edited.svc).toMatchObject({ quote: { id: first.id }, quote_url: first.uri });
  });

  it.each<[string, (id: string) => Promise<unknown>]>([
    ['blocks its author', () => relate('block', 'carol', 'alice')],
    ['is blocked by its author', () => relate('block', 'alice', 'carol')],
    ['mutes its author', () => relate('mute', 'carol', 'alice')],
    [
      'may not see it',
      (id) => app.sql('update statuses set visibility = 2 where id = $1', [id]), // as a remote server might change it
    ],
    [
      'reads it after its author left',
      () => app.sql('update accounts set deactivated_at = now() where id = $1', [app.world.id('alice')]),
    ],
  ])('is not shown to a viewer who %s', async (_, part) => {
    const first = await post(app, 'alice', 'tea');
    const { id } = await post(app, 'bob', 'true', { quote_id: first.id });
    expect((await shown('carol', id)).svc.quote_visible).toBe(true);
    await part(first.id);
    const hidden = await shown('carol', id);
    expect(hidden.quote).toEqual({ state: 'unauthorized', quoted_status: null });
    expect(hidden.svc).toMatchObject({ quote: null, quote_id: first.id, quote_visible: false });
  });

  it.each([undefined, 'alice', 'bob', 'carol'])(
    'F28 is not shown to %s while its author blocks the author of the quote',
    async (viewer) => {
      const first = await post(app, 'alice', 'tea');
      const { id } = await post(app, 'bob', 'true', { quote_id: first.id });
      const other = await post(app, 'carol', 'so true', { quote_id: first.id });
      const { id: boost } = await reblog(app, 'carol', id);
      const client = viewer === undefined ? app.world.anonymous : await app.world.as(viewer);
      const entries = async () => {
        const profile = await ok<PlainStatusJson[]>(client.get(`/api/v1/accounts/${app.world.id('bob')}/statuses`));
        return [await ok(client.get(`${PATH}/${id}`)), ...profile, (await shown(viewer, boost)).reblog!];
      };
      const all = [true, true, true];
      expect((await entries()).map((entry) => entry.svc.quote_visible)).toEqual(all);
      await relate('block', 'alice', 'bob');
      for (const { svc } of viewer === 'bob' || viewer === 'alice' ? [await shown(viewer, id)] : await entries())
        expect(svc).toMatchObject({ quote: null, quote_id: first.id, quote_visible: false });
      expect((await shown(viewer, other.id)).svc.quote_visible).toBe(viewer !== 'bob');
      const listed = await ok<PlainStatusJson[]>(client.get(`/api/v1/svc/statuses/${first.id}/quotes`));
      expect(listed.map((entry) => entry.id)).toEqual([other.id]);
      await relate('unblock', 'alice', 'bob');
      expect((await entries()).map((entry) => entry.svc.quote_visible)).toEqual(all);
    },
  );

  it('F28 is hidden only from its author while its author blocks the quoted author', async () => {
    const first = await post(app, 'alice', 'tea');
    const { id } = await post(app, 'bob', 'true', { quote_id: first.id });
    await relate('block', 'bob', 'alice');
    expect((await shown('carol', id)).svc.quote_visible).toBe(true);
    expect((await shown('bob', id)).svc.quote_visible).toBe(false);
  });

  it('of a muted author is shown when with_muted is set', async () => {
    const first = await post(app, 'alice', 'tea');
    const { id } = await post(app, 'bob', 'true', { quote_id: first.id });
    await relate('mute', 'carol', 'alice');
    const answer = await ok((await app.world.as('carol')).get(`${PATH}/${id}`, { with_muted: true }));
    expect(answer.svc.quote_visible).toBe(true);
  });
});

describe.each(PREFIXES)('the quotes of a post, %s', (prefix) => {
  const list = (id: string) => `${prefix}/statuses/${id}/quotes`;
  const ids = (posts: readonly PlainStatusJson[]) => posts.map(({ id }) => id);

  it('are listed in pages, the newest first', async () => {
    const { id } = await post(app, 'alice', 'tea');
    const quoting = await makeStatuses(app, 'bob', 5);
    await app.sql('update statuses set quote_of_id = $2 where id = any($1::text[])', [quoting, id]);
    const page = await app.world.anonymous.get(list(id), { limit: 2 }).expect(200);
    expect(ids(page.body as PlainStatusJson[])).toEqual([quoting[4], quoting[3]]);
    expect(page.headers['link']).toContain(`max_id=${quoting[3]!}`);
    const older = await ok<PlainStatusJson[]>(app.world.anonymous.get(list(id), { max_id: quoting[3] }));
    expect(ids(older)).toEqual([quoting[2], quoting[1], quoting[0]]);
    const newer = await ok<PlainStatusJson[]>(app.world.anonymous.get(list(id), { min_id: quoting[0], limit: 2 }));
    expect(ids(newer)).toEqual([quoting[2], quoting[1]]);
    expect(older[0]?.svc.quote).toMatchObject({ id });
  });

  it('include only posts that the viewer may see, without muted and blocking authors', async () => {
    const { id } = await post(app, 'alice', 'tea');
    const open = await post(app, 'bob', 'true', { quote_id: id });
    const secret = await post(app, 'bob', 'secretly true', { quote_id: id, visibility: 'private' });
    const asked = async (name: string) => ids(await ok<PlainStatusJson[]>((await app.world.as(name)).get(list(id))));
    expect(await asked('bob')).toEqual([secret.id, open.id]);
    expect(await asked('carol')).toEqual([open.id]);
    await relate('mute', 'carol', 'bob');
    expect(await asked('carol')).toEqual([]);
    await relate('block', 'bob', 'alice');
    expect(await asked('alice')).toEqual([]);
  });

  it('return 404 when the viewer may not see the quoted post', async () => {
    const { id } = await post(app, 'alice', 'tea', { visibility: 'private' });
    await app.world.anonymous.get(list(id)).expect(404);
    await app.world.anonymous.get(list(UNKNOWN)).expect(404);
    await (await app.world.as('alice')).get(list(id)).expect(200);
  });
});
