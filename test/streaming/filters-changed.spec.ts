import { useApp } from '../support/servers/app.js';
import { openEvents } from '../support/servers/event-streams.js';
import { connect, connectAs, isMarker, sendMarker, type TestSocket } from '../support/servers/sockets.js';
import { ok, post } from '../support/fixtures/statuses.js';
import type { Client } from '../support/fixtures/world.js';

const OLDER = '/api/v1/filters';
const FILTERS = '/api/v2/filters';
const CHANGED = { event: 'filters_changed', stream: ['user'] };

const app = useApp({ people: ['alice', 'bob'], listening: true });
let bob: Client;
let socket: TestSocket;

beforeEach(async () => {
  bob = await app.world.as('bob');
  socket = await connectAs(app, 'bob', { stream: 'user' });
});
afterEach(() => socket.close());

async function arrived(): Promise<unknown[]> {
  await app.drain();
  await sendMarker(app, ['bob']);
  return socket.until(isMarker);
}

const create = (values: object = {}) =>
  ok<{ id: string; keywords: { id: string }[] }>(
    bob.post(FILTERS, { title: 'x', context: ['home'], keywords_attributes: [{ keyword: 'tea' }], ...values }),
  );

describe('filters_changed', () => {
  it('is sent once for each change of a filter, without a payload', async () => {
    const { id, keywords } = await create();
    expect(await arrived()).toEqual([CHANGED]);
    const word = await ok<{ id: string }>(bob.post(`${FILTERS}/${id}/keywords`, { keyword: 'milk' }));
    const { id: statusId } = await post(app, 'alice', 'x');
    const entry = await ok<{ id: string }>(bob.post(`${FILTERS}/${id}/statuses`, { status_id: statusId }));
    const changes: (() => PromiseLike<unknown>)[] = [
      () => ok(bob.put(`${FILTERS}/${id}`, { title: 'y', keywords_attributes: [{ keyword: 'cocoa' }] })),
      () => ok(bob.put(`${FILTERS}/keywords/${word.id}`, { keyword: 'cream' })),
      () => ok(bob.delete(`${FILTERS}/keywords/${word.id}`)),
      () => ok(bob.delete(`${FILTERS}/statuses/${entry.id}`)),
      () => ok(bob.put(`${OLDER}/${keywords[0]!.id}`, { phrase: 'tea', context: ['home'] })),
      () => ok(bob.delete(`${OLDER}/${keywords[0]!.id}`)),
      () => ok(bob.delete(`${FILTERS}/${id}`)),
      () => ok(bob.post(OLDER, { phrase: 'tea', context: ['home'] })),
    ];
    expect(await arrived()).toEqual([CHANGED, CHANGED]);
    for (const change of changes) {
      await change();
      expect(await arrived()).toEqual([CHANGED]);
    }
  });

  it('is not sent for refused changes and for reads', async () => {
    await bob.post(FILTERS, { title: 'x', context: ['nowhere'] }).expect(422);
    await bob.post(OLDER, { phrase: ' ', context: ['home'] }).expect(422);
    await bob.delete(`${FILTERS}/1`).expect(404);
    await bob.get(FILTERS).expect(200);
    expect(await arrived()).toEqual([]);
  });

  it('is sent to the owner only, on the user stream', async () => {
    const others = await Promise.all([
      connectAs(app, 'alice', { stream: 'user' }),
      connectAs(app, 'bob', { stream: 'public' }),
      connect(app, { stream: 'public' }),
    ]);
    await create();
    await sendMarker(app, ['alice', 'bob']);
    expect(await socket.until(isMarker)).toEqual([CHANGED]);
    for (const other of others) {
      expect(await other.until(isMarker)).toEqual([]);
      await other.close();
    }
  });

  it('has data on event streams, since browsers drop events without data', async () => {
    const events = await openEvents(app, 'user', bob.token);
    await create();
    expect(await events.next()).toEqual({ event: 'filters_changed', data: '{}' });
    await events.close();
  });
});
