import type { AddressInfo } from 'node:net';
import { createApp } from '../../src/server.js';
import type { StatusJson } from '../../src/statuses/index.js';
import { startListeningApp, type TestApp } from '../support/servers/app.js';
import { connectAs, type Frame, isMarker, sendMarker } from '../support/servers/sockets.js';
import { ok, post } from '../support/fixtures/statuses.js';

const idOf = ({ payload = 'null' }: Frame) => (JSON.parse(payload) as { id: string }).id;

describe('a client that subscribes again', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startListeningApp();
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    await app.reset();
    await app.world.persons('alice', 'bob');
    await app.world.follow('bob', 'alice');
  });

  it('W4 to the same stream gets one copy, and none after one unsubscribe', async () => {
    const socket = await connectAs(app, 'bob', { stream: 'user' });
    const again = { type: 'subscribe', stream: 'user' };
    for (let time = 1; time <= 3; time += 1) expect(JSON.stringify(await socket.ask(again))).toContain('ignored');
    const { id } = await post(app, 'alice', 'tea');
    await sendMarker(app, ['bob']);
    expect((await socket.until(isMarker)).map(idOf)).toEqual([id]);
    expect(JSON.stringify(await socket.ask({ ...again, type: 'unsubscribe' }))).toContain('success');
    await socket.subscribe('public');
    const { id: next } = await post(app, 'alice', 'more tea', { visibility: 'private' });
    await sendMarker(app, ['bob']);
    expect((await socket.until(isMarker)).map(idOf)).not.toContain(next);
    await socket.close();
  });

  it('W6 after a restart reads on, and finds missed posts by the last id it saw', async () => {
    const before = await createApp(app.env, app.address);
    const server = (await before.listen(0, '127.0.0.1')) as { address(): AddressInfo };
    const there = { ...app, env: { ...app.env, baseUrl: `http://127.0.0.1:${server.address().port}` } };
    const socket = await connectAs(there, 'bob', { stream: 'user' });
    const { token } = await app.world.as('alice');
    const seen = await fetch(`${there.env.baseUrl}/api/v1/statuses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: new URLSearchParams({ status: 'seen' }),
    });
    const { id: last } = (await seen.json()) as StatusJson;
    expect(idOf(await socket.next())).toBe(last);
    await before.close();
    expect((await socket.closed).code).toBe(1001);

    const missed: string[] = [];
    for (const text of ['one', 'two', 'three']) missed.unshift((await post(app, 'alice', text)).id);
    await app.drain();
    const later = await connectAs(app, 'bob', { stream: 'user' });
    const bob = await app.world.as('bob');
    for (const order of ['since_id', 'min_id']) {
      const page = await ok<StatusJson[]>(bob.get('/api/v1/timelines/home', { [order]: last }));
      expect(page.map(({ id }) => id)).toEqual(missed);
    }
    const { id } = await post(app, 'alice', 'live again');
    expect(idOf(await later.next())).toBe(id);
    await later.close();
  });
});
