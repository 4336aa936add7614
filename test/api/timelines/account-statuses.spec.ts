import { BlocksService } from '../../../src/accounts/index.js';
import { type StatusJson, StatusShape } from '../../../src/statuses/index.js';
import { useApp } from '../../support/servers/app.js';
import { makeStatuses } from '../../support/fixtures/factories.js';
import { checkShape } from '../../support/shape.js';
import { answerUnknown, ok, post, reblog } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

const app = useApp({ people: ['reader', 'alice', 'bob', 'carol'] });
let reader: Client;

beforeEach(async () => {
  reader = await app.world.as('reader');
});

const path = (account = app.world.id('alice')) => `/api/v1/accounts/${account}/statuses`;
const page = (query = {}, client = reader) => ok<StatusJson[]>(client.get(path(), query));
const texts = async (query = {}, client = reader) =>
  (await page(query, client)).map(({ content }) => content.replace(/<[^>]+>/g, ''));
const act = (client: Client, id: string, values: object) =>
  ok<StatusJson>(client.post(`/api/v1/statuses/${id}/reblog`, { ...values }));

describe('GET accounts/:id/statuses', () => {
  it('lists posts and boosts of the account that the viewer may see', async () => {
    await app.world.follow('bob', 'alice');
    await post(app, 'alice', 'open');
    await post(app, 'alice', 'quiet', { visibility: 'unlisted' });
    await post(app, 'alice', 'here', { visibility: 'local' });
    await post(app, 'alice', 'friends', { visibility: 'private' });
    await post(app, 'alice', '@carol secret', { visibility: 'direct' });
    const hers = await post(app, 'carol', 'by carol');
    await reblog(app, 'alice', hers.id);
    const alice = await app.world.as('alice');
    await act(alice, (await post(app, 'bob', 'by bob')).id, { visibility: 'private' });
    const secret = expect.stringContaining('secret');
    const seen = {
      reader: ['by carol', 'here', 'quiet', 'open'],
      bob: ['by bob', 'by carol', 'friends', 'here', 'quiet', 'open'],
      carol: ['by carol', secret, 'here', 'quiet', 'open'],
      alice: ['by bob', 'by carol', secret, 'friends', 'here', 'quiet', 'open'],
    };
    for (const [viewer, expected] of Object.entries(seen)) {
      expect(await texts({}, await app.world.as(viewer))).toEqual(expected);
    }
    const anonymous = await page({}, app.world.anonymous);
    expect(anonymous.map(({ content }) => content.replace(/<[^>]+>/g, ''))).toEqual(['by carol', 'quiet', 'open']);
    expect(anonymous.flatMap((status) => checkShape(StatusShape, status))).toEqual([]);
    expect(anonymous[0]).toMatchObject({ account: { acct: 'alice' }, reblog: { id: hers.id } });
  });

  it('accepts a nickname, and returns 404 for unknown and deactivated accounts', async () => {
    await post(app, 'alice', 'open');
    expect(await ok<StatusJson[]>(reader.get(path('Alice')))).toHaveLength(1);
    await reader.get(path('nobody')).expect(404, { error: "Can't find user" });
    await app.sql('update accounts set deactivated_at = now() where id = $1', [app.world.id('alice')]);
    await reader.get(path()).expect(404, { error: "Can't find user" });
  });

  it('counts an answer to a post that is not known here as a reply', async () => {
    const zoe = await app.world.remote('zoe', 'far.test');
    const answer = await answerUnknown(app, zoe.id);
    const listed = (query: Record<string, unknown>) => ok<StatusJson[]>(reader.get(path(zoe.id), query));
    expect((await listed({})).map(({ id }) => id)).toEqual([answer]);
    expect(await listed({ exclude_replies: true })).toEqual([]);
  });

  it('filters by reply, boost, visibility and pin', async () => {
    const root = await post(app, 'bob', 'root');
    const mine = await post(app, 'alice', 'mine');
    await post(app, 'alice', 'to bob', { in_reply_to_id: root.id });
    await post(app, 'alice', 'to myself', { in_reply_to_id: mine.id });
    const answer = await post(app, 'bob', 'an answer', { in_reply_to_id: root.id });
    await reblog(app, 'alice', answer.id);
    await post(app, 'alice', 'quiet', { visibility: 'unlisted' });
    const all = ['quiet', 'an answer', 'to myself', 'to bob', 'mine'];
    const without = (...left: string[]) => all.filter((text) => !left.includes(text));
    expect(await texts()).toEqual(all);
    expect(await texts({ exclude_reblogs: true })).toEqual(without('an answer'));
    expect(await texts({ only_reblogs: true })).toEqual(['an answer']);
    expect(await texts({ exclude_replies: true })).toEqual(without('to bob'));
    expect(await texts({ exclude_visibilities: ['unlisted'] })).toEqual(without('quiet'));
    expect(await texts({ pinned: true })).toEqual([]);
  });

  it('filters boosts by the tags, visibility and attachments of the boosted post', async () => {
    const reblogs: string[] = [];
    for (const [text, visibility] of [
      ['about #tea', 'public'],
      ['quiet #tea', 'unlisted'],
      ['open', 'public'],
    ] as const) {
      reblogs.push((await reblog(app, 'alice', (await post(app, 'carol', text, { visibility })).id)).id);
    }
    const found = async (query: object) =>
      (await ok<StatusJson[]>(reader.get(path('alice'), { ...query }))).map(({ id }) => id);
    const [tea, quiet, open] = reblogs;
    expect(await found({ tagged: 'tea' })).toEqual([quiet, tea]);
    expect(await found({ exclude_visibilities: ['unlisted'] })).toEqual([open, tea]);
    expect(await found({ only_media: true })).toEqual([]);
  });

  it('finds a tag in any case and any Unicode form', async () => {
    await post(app, 'alice', 'about #Café');
    await post(app, 'alice', 'about #tea');
    for (const tagged of ['café', '#CAFÉ', 'CAFE\u0301']) {
      expect(await texts({ tagged })).toEqual([expect.stringContaining('Café')]);
    }
    expect(await texts({ tagged: 'nothing' })).toEqual([]);
  });

  it('lists posts of an account that the viewer blocked or muted, without boosts of hidden authors', async () => {
    const blocks = app.get(BlocksService);
    await post(app, 'alice', 'by alice');
    await reblog(app, 'alice', (await post(app, 'bob', 'by bob')).id);
    await reblog(app, 'alice', (await post(app, 'carol', 'by carol')).id);
    const id = app.world.id('reader');
    await blocks.block(id, app.world.id('alice'), {});
    await blocks.block(app.world.id('bob'), id, {});
    await blocks.mute(id, app.world.id('carol'), {});
    expect(await texts()).toEqual(['by alice']);
    expect(await texts({ with_muted: true })).toEqual(['by carol', 'by alice']);
  });

  it('V15 lists no boosts of deactivated authors', async () => {
    await reblog(app, 'alice', (await post(app, 'bob', 'by bob')).id);
    await app.sql('update accounts set deactivated_at = now() where id = $1', [app.world.id('bob')]);
    expect(await texts()).toEqual([]);
  });

  it('searches at most 10,000 posts for rare matches', async () => {
    await post(app, 'alice', 'about #tea');
    const [oldest] = await makeStatuses(app, 'alice', 10_000);
    expect(await texts({ tagged: 'tea' })).toEqual([]);
    expect(await texts({ tagged: 'tea', max_id: oldest })).toHaveLength(1);
  });

  it('pages through all posts', async () => {
    const posts = await makeStatuses(app, 'alice', 25);
    await makeStatuses(app, 'bob', 5);
    const first = await reader.get(path(), { limit: 20 }).expect(200);
    const next = /<https:\/\/svc\.test([^>]+)>; rel="next"/.exec(first.get('link') ?? '')![1]!;
    const second = await reader.get(next).expect(200);
    const ids = [first, second].flatMap(({ body }) => (body as StatusJson[]).map(({ id }) => id));
    expect(ids).toEqual([...posts].reverse());
    const later = await reader.get(path(), { limit: 3, offset: 2 }).expect(200);
    expect((later.body as StatusJson[]).map(({ id }) => id)).toEqual(ids.slice(2, 5));
    expect(later.get('link')).toContain(`?limit=3&max_id=${ids[4]}>`);
  });
});
