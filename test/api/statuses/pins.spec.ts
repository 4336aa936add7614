import { SettingsService } from '../../../src/config/index.js';
import { PlainStatusShape } from '../../../src/statuses/index.js';
import { useApp } from '../../support/servers/app.js';
import { makeStatuses } from '../../support/fixtures/factories.js';
import { holding, waitersOf } from '../../support/locks.js';
import { checkShape } from '../../support/shape.js';
import { ok, post, reblog } from '../../support/fixtures/statuses.js';
import { upload } from '../../support/fixtures/uploads.js';
import type { Client } from '../../support/fixtures/world.js';

const FULL = { error: 'You have already pinned the maximum number of statuses' };

const app = useApp();
let alice: Client;
let bob: Client;

const MAXIMUM = 'instance.max_pinned_statuses';
const allow = (value: number) => app.get(SettingsService).update([{ path: MAXIMUM, value }]);

beforeEach(async () => {
  await app.get(SettingsService).reset(MAXIMUM);
  await app.world.persons('alice', 'bob');
  alice = await app.world.as('alice');
  bob = await app.world.as('bob');
});

const act = (client: Client, id: string, verb: string, values = {}) =>
  client.post(`/api/v1/statuses/${id}/${verb}`, values);
const pinned = async (client: Client, query: Record<string, unknown> = {}) => {
  const path = `/api/v1/accounts/${app.world.id('alice')}/statuses`;
  const answer = await client.get(path, { pinned: true, ...query }).expect(200);
  expect(answer.get('link')).toBeUndefined();
  return (answer.body as { id: string }[]).map(({ id }) => id);
};

describe('a pin', () => {
  it('puts a post at the top of the profile for every viewer who may see it', async () => {
    await allow(3);
    const open = await post(app, 'alice', 'open');
    const closed = await post(app, 'alice', 'for followers', { visibility: 'private' });
    await bob.get(`/api/v1/statuses/${open.id}`).expect(200); // caches the post without the pin
    for (let time = 1; time <= 2; time += 1) {
      const body = await ok(act(alice, open.id, 'pin'));
      expect(checkShape(PlainStatusShape, body)).toEqual([]);
      expect(body).toMatchObject({ pinned: true, svc: { pinned_at: expect.any(String) } });
    }
    await ok(act(alice, closed.id, 'pin'));
    expect(await pinned(alice)).toEqual([closed.id, open.id]);
    expect(await pinned(bob)).toEqual([open.id]);
    expect(await pinned(app.world.anonymous)).toEqual([open.id]);
    const seen = await ok(bob.get(`/api/v1/statuses/${open.id}`));
    expect(seen).toMatchObject({ pinned: true, svc: { pinned_at: expect.any(String) } });
    expect(await ok(app.world.anonymous.get(`/api/v1/statuses/${open.id}`))).toMatchObject({ pinned: false });
    expect(Date.parse(seen.svc.pinned_at!)).toBeGreaterThanOrEqual(Date.parse(seen.created_at));
    for (let time = 1; time <= 2; time += 1) {
      expect(await ok(act(alice, open.id, 'unpin'))).toMatchObject({ pinned: false, svc: { pinned_at: null } });
    }
    expect(await pinned(bob)).toEqual([]);
    expect(await ok(bob.get(`/api/v1/statuses/${open.id}`))).toMatchObject({ svc: { pinned_at: null } });
  });

  it('is filtered by the same parameters as the other posts of a profile', async () => {
    await allow(5);
    const root = await post(app, 'bob', 'root');
    const media = await upload(app, 'alice');
    const posts = {
      tea: await post(app, 'alice', 'about #Tea'),
      quiet: await post(app, 'alice', 'quiet', { visibility: 'unlisted' }),
      picture: await post(app, 'alice', 'a picture', { media_ids: [media.id] }),
      answer: await post(app, 'alice', 'to bob', { in_reply_to_id: root.id }),
      more: await post(app, 'alice', 'more'),
    };
    for (const { id } of Object.values(posts)) await ok(act(alice, id, 'pin'));
    const order = Object.keys(posts).reverse();
    const chosen = async (query: Record<string, unknown>) => {
      const ids = await pinned(bob, query);
      return ids.map((one) => Object.entries(posts).find(([, { id }]) => id === one)?.[0]);
    };
    expect(await chosen({ exclude_reblogs: true, limit: 1 })).toEqual(order);
    expect(await chosen({ tagged: '#TEA' })).toEqual(['tea']);
    expect(await chosen({ tagged: 'none' })).toEqual([]);
    expect(await chosen({ only_media: true })).toEqual(['picture']);
    expect(await chosen({ exclude_replies: true })).toEqual(order.filter((name) => name !== 'answer'));
    expect(await chosen({ exclude_visibilities: ['unlisted'] })).toEqual(order.filter((name) => name !== 'quiet'));
    expect(await chosen({ only_reblogs: true })).toEqual([]);
  });

  it('of a post that is deleted at the same time returns 404, even when the limit is reached', async () => {
    await allow(1);
    const { id: former } = await post(app, 'alice', 'pinned');
    await ok(act(alice, former, 'pin'));
    const { id } = await post(app, 'alice', 'going');
    const refused = await holding(app, async (holder) => {
      await holder.query(`select pg_advisory_xact_lock(hashtextextended('pins ' || $1::text, 0))`, [
        app.world.id('alice'),
      ]);
      const pinning = act(alice, id, 'pin').then((answer) => answer);
      await waitersOf(holder, 1);
      await holder.query('delete from statuses where id = $1', [id]);
      await holder.query('commit');
      return pinning;
    });
    expect([refused.status, refused.body]).toEqual([404, { error: 'Record not found' }]);
    expect(await pinned(alice)).toEqual([former]);
  });

  it('is allowed only for own posts that are not direct', async () => {
    const foreign = await post(app, 'bob', 'tea');
    await act(alice, foreign.id, 'pin').expect(422, { error: "Someone else's status cannot be pinned" });
    await ok(act(alice, foreign.id, 'unpin'));
    const boost = await reblog(app, 'alice', foreign.id);
    await act(alice, boost.id, 'pin').expect(422);
    const direct = await post(app, 'alice', '@bob tea', { visibility: 'direct' });
    await act(alice, direct.id, 'pin').expect(422);
    const hidden = await post(app, 'bob', 'for followers', { visibility: 'private' });
    await act(alice, hidden.id, 'pin').expect(404, { error: 'Record not found' });
    await act(app.world.anonymous, foreign.id, 'pin').expect(401);
    await act(await app.world.as('alice', 'write:statuses'), foreign.id, 'pin').expect(403);
    expect(await app.sql('select from pins')).toEqual([]);
  });

  it('is limited to the number in the setting, also under twenty concurrent requests', async () => {
    await allow(1);
    const posts = await makeStatuses(app, 'alice', 20);
    const answers = await Promise.all(posts.map((id) => act(alice, id, 'pin')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 422)]);
    expect(answers.find(({ status }) => status === 422)!.body).toEqual(FULL);
    const [only] = await pinned(bob);
    expect(new Set((await Promise.all(posts.map(() => act(alice, only!, 'pin')))).map(({ status }) => status))).toEqual(
      new Set([200]),
    );
    await allow(2);
    await ok(
      act(
        alice,
        posts.find((id) => id !== only)!,
        'pin',
      ),
    );
    expect(await pinned(bob)).toHaveLength(2);
  });

  it('is removed with its post', async () => {
    const { id } = await post(app, 'alice', 'tea');
    await ok(act(alice, id, 'pin'));
    await alice.delete(`/api/v1/statuses/${id}`).expect(200);
    expect(await pinned(alice)).toEqual([]);
  });
});

describe('a thread mute', () => {
  const ALREADY = { error: 'conversation is already muted' };

  it('is shown on every post of the thread, only to its owner', async () => {
    const root = await post(app, 'alice', 'tea');
    const answer = await post(app, 'bob', 'milk', { in_reply_to_id: root.id });
    const body = await ok(act(bob, answer.id, 'mute'));
    expect(checkShape(PlainStatusShape, body)).toEqual([]);
    expect(body).toMatchObject({ id: answer.id, muted: true, svc: { thread_muted: true } });
    expect(await ok(bob.get(`/api/v1/statuses/${root.id}`))).toMatchObject({ muted: true });
    expect(await ok(alice.get(`/api/v1/statuses/${root.id}`))).toMatchObject({ muted: false });
    await act(bob, root.id, 'mute').expect(400, ALREADY);
    expect(await ok(act(bob, root.id, 'unmute'))).toMatchObject({ muted: false, svc: { thread_muted: false } });
    await ok(act(bob, root.id, 'unmute'));
  });

  it('hides replies in the thread from the notifications', async () => {
    const { id } = await post(app, 'alice', 'tea');
    await ok(act(alice, id, 'mute'));
    await post(app, 'bob', '@alice milk', { in_reply_to_id: id });
    await app.drain();
    await alice.get('/api/v1/notifications').expect(200, []);
  });

  it('can expire, and can then be set again', async () => {
    const { id } = await post(app, 'alice', 'tea');
    await ok(act(bob, id, 'mute', { expires_in: 60 }));
    await act(bob, id, 'mute', { expires_in: 60 }).expect(400, ALREADY);
    await app.sql(`update thread_mutes set expires_at = now() - interval '1 second'`);
    expect(await ok(bob.get(`/api/v1/statuses/${id}`))).toMatchObject({ muted: false });
    expect(await ok(act(bob, id, 'mute', { expires_in: '0' }))).toMatchObject({ muted: true });
    expect(await app.sql('select expires_at from thread_mutes')).toEqual([{ expires_at: null }]);
    await act(bob, id, 'mute', { expires_in: -1 }).expect(422);
  });

  it('is set once by twenty concurrent requests', async () => {
    const { id } = await post(app, 'alice', 'tea');
    const answers = await Promise.all(Array.from({ length: 20 }, () => act(bob, id, 'mute')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 400)]);
  });

  it('is allowed only for threads that the viewer may see', async () => {
    const { id } = await post(app, 'alice', 'for followers', { visibility: 'private' });
    await act(bob, id, 'mute').expect(404, { error: 'Record not found' });
    await act(bob, id, 'unmute').expect(404, { error: 'Record not found' });
    await act(app.world.anonymous, id, 'mute').expect(401);
    expect(await app.sql('select from thread_mutes')).toEqual([]);
  });
});
