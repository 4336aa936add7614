import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Bus } from '../../src/platform/index.js';
import { createApp } from '../../src/server.js';
import { Sessions } from '../../src/streaming/connections/sessions.js';
import { SessionReaper } from '../../src/streaming/connections/session-reaper.js';
import { startListeningApp, type TestApp } from '../support/servers/app.js';
import { Scratch } from '../process/scratch.js';
import { eventually } from '../support/eventually.js';
import { describeWithRedis, RedisServer } from '../support/servers/redis.js';
import { connect, connectAs, isMarker, sendMarker, type TestSocket } from '../support/servers/sockets.js';
import { makeFollows } from '../support/fixtures/factories.js';
import { ok, post } from '../support/fixtures/statuses.js';

describeWithRedis('two processes with Redis', () => {
  const scratch = new Scratch();
  let redis: RedisServer;
  let app: TestApp;
  let second: NestExpressApplication;
  /** The same accounts and posts, but connections go to the second process. */
  let elsewhere: TestApp;

  beforeAll(async () => {
    redis = await RedisServer.start(scratch);
    app = await startListeningApp({ REDIS_URL: redis.url });
    second = await createApp(app.env, app.address);
    const server = (await second.listen(0, '127.0.0.1')) as { address(): AddressInfo };
    elsewhere = { ...app, env: { ...app.env, baseUrl: `http://127.0.0.1:${server.address().port}` } };
    await busIsShared();
  });
  afterAll(async () => {
    await second.close();
    await app.close();
    await scratch.remove();
  });
  beforeEach(async () => {
    await app.reset();
    await app.world.persons('alice', 'bob');
    await makeFollows(app, [app.world.id('bob')], app.world.id('alice')); // without a frame, which may come late elsewhere
  });

  async function busIsShared(): Promise<void> {
    let arrived = false;
    const leave = second.get(Bus).subscribe('test', () => void (arrived = true));
    await eventually(() => {
      app.get(Bus).publish('test', {});
      expect(arrived).toBe(true);
    });
    leave();
  }

  const seenBy = async (nickname: string, path: string) => ok<unknown>((await app.world.as(nickname)).get(path));
  const payloads = async (sockets: readonly TestSocket[]) =>
    Promise.all(sockets.map(async (socket) => JSON.parse((await socket.next()).payload ?? 'null') as unknown));

  it('send the same frames for events in either process', async () => {
    const sockets = await Promise.all([
      connectAs(app, 'bob', { stream: 'user' }),
      connectAs(elsewhere, 'bob', { stream: 'user' }),
      connect(elsewhere, { stream: 'public' }),
    ]);
    const [here, there, visitor] = sockets;
    const { id } = await post(app, 'alice', 'tea, @bob?');
    const view = await seenBy('bob', `/api/v1/statuses/${id}`);
    const visitors = await ok<unknown>(app.world.anonymous.get(`/api/v1/statuses/${id}`));
    expect(await payloads([here, there, visitor])).toEqual([view, view, visitors]);
    await app.drain();
    const [notification] = (await seenBy('bob', '/api/v1/notifications')) as unknown[];
    expect(await payloads([here, there])).toEqual([notification, notification]);
    await (await app.world.as('alice')).delete(`/api/v1/statuses/${id}`).expect(200);
    const streams = ['user', 'user', 'public'];
    for (const [at, socket] of sockets.entries())
      expect(await socket.next()).toEqual({ stream: [streams[at]], event: 'delete', payload: id });
    await sendMarker(app, ['bob']);
    for (const socket of sockets) expect(await socket.until(isMarker)).toEqual([]); // no frame came twice
    await Promise.all(sockets.map((socket) => socket.close()));
  });

  it('send filters_changed to the owner in either process', async () => {
    const sockets = await Promise.all([
      connectAs(app, 'bob', { stream: 'user' }),
      connectAs(elsewhere, 'bob', { stream: 'user' }),
    ]);
    await (await app.world.as('bob')).post('/api/v1/filters', { phrase: 'tea', context: ['home'] }).expect(200);
    for (const socket of sockets) {
      expect(await socket.next()).toEqual({ event: 'filters_changed', stream: ['user'] });
      await socket.close();
    }
  });

  it('hear what is for clients only while they have some', async () => {
    const hearing = async () =>
      ((await redis.command('PUBSUB', 'NUMSUB', 'svc:bus:live:stream')) as [string, number])[1];
    const [here, there] = [app.get(SessionReaper), second.get(SessionReaper)];
    const inAMinute = performance.now() + 60_000;
    const socket = await connectAs(elsewhere, 'bob', { stream: 'user' });
    [here, there].forEach((reaper) => reaper.tick(inAMinute));
    await eventually(async () => expect(await hearing()).toBe(1));
    const { id } = await post(app, 'alice', 'tea');
    expect(JSON.parse((await socket.next()).payload ?? '')).toMatchObject({ id });
    const again = await connectAs(app, 'bob', { stream: 'user' });
    expect(await hearing()).toBe(2);
    await Promise.all([socket, again].map((each) => each.close()));
    await eventually(() => expect([app.get(Sessions), second.get(Sessions)].map(({ size }) => size)).toEqual([0, 0]));
    [here, there].forEach((reaper) => reaper.tick(performance.now() + 120_000));
    await eventually(async () => expect(await hearing()).toBe(0));
  });

  it('O10 close the sockets of a token that was revoked in the other process', async () => {
    const socket = await connectAs(elsewhere, 'bob', { stream: 'user' });
    const { token } = await app.world.as('bob');
    await app.http.post('/oauth/revoke').send({ token }).expect(200);
    const closed = once(socket.raw, 'close');
    await second.get(SessionReaper).check();
    expect(await closed).toEqual([1008, Buffer.from('The token is not valid')]);
  });

  it('follow a change of the configuration at once, before any job has run', async () => {
    await app.world.person('root', { admin: true });
    const configs = [{ group: ':svc', key: ':instance', value: [{ tuple: [':name', 'Tea house'] }] }];
    await ok((await app.world.as('root', 'admin')).post('/api/v1/svc/admin/config', { configs }));
    for (const { env } of [app, elsewhere]) {
      await eventually(async () => {
        const answer = await fetch(`${env.baseUrl}/api/v2/instance`);
        expect(await answer.json()).toMatchObject({ title: 'Tea house' });
      });
    }
  });

  it('follow a change of the brand in what the other process has cached', async () => {
    await app.world.person('root', { admin: true });
    const { id } = await post(app, 'alice', 'tea');
    const keys = async (path: string) =>
      Object.keys((await (await fetch(`${elsewhere.env.baseUrl}${path}`)).json()) as object);
    const paths = [`/api/v1/statuses/${id}`, `/api/v1/accounts/${app.world.id('alice')}`, '/api/v2/instance'];
    for (const path of [...paths, ...paths]) expect(await keys(path)).toContain('svc');
    const configs = [{ group: ':svc', key: ':instance', value: [{ tuple: [':compat_brand', 'acme'] }] }];
    await ok((await app.world.as('root', 'admin')).post('/api/v1/svc/admin/config', { configs }));
    await eventually(async () => {
      expect((await fetch(`${elsewhere.env.baseUrl}/api/v1/acme/healthcheck`)).status).toBe(200);
    });
    for (const path of paths) expect(await keys(path)).toContain('acme');
  });
});
