import { type MarkersJson, MarkersShape } from '../../../src/notifications/index.js';
import { useApp } from '../../support/servers/app.js';
import { ok } from '../../support/fixtures/statuses.js';
import { checkShape } from '../../support/shape.js';
import type { Client } from '../../support/fixtures/world.js';

const PATH = '/api/v1/markers';
const READ = '/api/v1/svc/notifications/read';
const BOTH = { timeline: ['home', 'notifications'] };

const app = useApp({ people: ['alice', 'bob'] });
let alice: Client;

beforeEach(async () => {
  alice = await app.world.as('alice');
});

const checked = (body: unknown): MarkersJson => {
  expect(checkShape(MarkersShape, body)).toEqual([]);
  return body as MarkersJson;
};
const shown = async (query: object = BOTH, client = alice) =>
  checked((await client.get(PATH, query as never).expect(200)).body);
const saved = async (values: object) => checked((await alice.post(PATH, values as never).expect(200)).body);

/** Inserts notifications for alice and returns their ids, oldest first. */
async function plant(count: number): Promise<string[]> {
  const rows = await app.sql<{ id: string }>(
    `insert into notifications (receiver_id, type, from_id) select $1, 'poll', $2 from generate_series(1, $3::int) returning id`,
    [app.world.id('alice'), app.world.id('bob'), count],
  );
  return rows.map((row) => row.id);
}

describe('markers', () => {
  it('are absent until the first save; each save raises their version', async () => {
    expect(await shown()).toEqual({});
    const first = await saved({ home: { last_read_id: 'AhX2k9QdWmB3v0PzLs' } });
    expect(first).toEqual({
      home: {
        last_read_id: 'AhX2k9QdWmB3v0PzLs',
        version: 1,
        updated_at: expect.any(String),
        svc: { unread_count: 0 },
      },
    });
    expect(await shown()).toEqual(first);
    const second = await saved({ home: { last_read_id: 'AhX2k9QdWmB3v0PzLr' }, notifications: { last_read_id: 7 } });
    expect(second).toMatchObject({
      home: { last_read_id: 'AhX2k9QdWmB3v0PzLr', version: 2 },
      notifications: { last_read_id: '7', version: 1 },
    });
    expect(await shown()).toEqual(second);
    expect(await shown({ timeline: 'home' })).toEqual({ home: second.home });
    expect(await shown({ timeline: ['notifications', 'nonsense'] })).toEqual({ notifications: second.notifications });
    expect(await shown({})).toEqual({});
  });

  it('accept form data, and are refused with invalid ids', async () => {
    await alice.post(PATH).type('form').send('notifications[last_read_id]=12').expect(200);
    expect(await shown()).toMatchObject({ notifications: { last_read_id: '12', version: 1 } });
    const before = await shown();
    expect(await saved({ home: {}, notifications: { last_read_id: '' }, other: { last_read_id: '1' } })).toEqual({});
    for (const values of [
      { home: { last_read_id: 'AhX2k9QdWmB3v0PzLs' }, notifications: { last_read_id: 'x' } },
      { notifications: { last_read_id: '99999999999999999999' } },
      { notifications: { last_read_id: ['1'] } },
      { home: { last_read_id: 'x'.repeat(65) } },
      { home: 'x' },
    ]) {
      await alice.post(PATH, values).expect(400);
    }
    expect(await shown()).toEqual(before);
  });

  it.each([
    ['the newest', [2], { last: 2, unread: 0 }],
    ['one between', [1], { last: 1, unread: 1 }],
    ['an older one afterwards', [1, 0], { last: 1, unread: 1 }],
    ['a newer one afterwards', [0, 2], { last: 2, unread: 0 }],
  ])('read the notifications up to %s', async (_what, saves, { last, unread }) => {
    const ids = await plant(3);
    const bobs = await app.sql<{ id: string }>(
      `insert into notifications (receiver_id, type, from_id) select $1, 'poll', $2 returning id`,
      [app.world.id('bob'), app.world.id('alice')],
    );
    await ok(alice.get('/api/v1/accounts/verify_credentials'));
    for (const n of saves) await saved({ notifications: { last_read_id: ids[n] } });
    expect(await shown()).toMatchObject({
      notifications: { last_read_id: ids[last], version: saves.length, svc: { unread_count: unread } },
    });
    expect(await ok(alice.get('/api/v1/notifications/unread_count'))).toEqual({ count: unread });
    expect(await ok(alice.get('/api/v1/accounts/verify_credentials'))).toMatchObject({
      svc: { unread_notifications_count: unread },
    });
    const list = await ok<{ id: string; svc: { is_seen: boolean } }[]>(alice.get('/api/v1/notifications'));
    expect(list.map(({ id, svc }) => [id, svc.is_seen])).toEqual(
      ids.map((id, n): [string, boolean] => [id, n <= last]).reverse(),
    );
    expect(await app.sql('select seen from notifications where id = $1', [bobs[0]!.id])).toEqual([{ seen: false }]);
  });

  it('do not read later notifications, nor any by the position of another list', async () => {
    await saved({ home: { last_read_id: '9999999999' } });
    await plant(1);
    await saved({ notifications: { last_read_id: '0' } });
    expect(await shown()).toMatchObject({ notifications: { svc: { unread_count: 1 } } });
  });

  it('advance when notifications are read, and never move back', async () => {
    const ids = await plant(4);
    const marker = async () => (await shown()).notifications;
    await alice.post(READ, { id: ids[1] }).expect(200);
    expect(await marker()).toMatchObject({ last_read_id: ids[1], version: 1, svc: { unread_count: 3 } });
    await alice.post(READ, { id: ids[0] }).expect(200);
    expect(await marker()).toMatchObject({ last_read_id: ids[1], version: 1, svc: { unread_count: 2 } });
    await alice.post(READ, { max_id: '9223372036854775807' }).expect(200);
    expect(await marker()).toMatchObject({ last_read_id: ids[3], version: 2, svc: { unread_count: 0 } });
    await alice.post(READ, { max_id: ids[3] }).expect(200);
    expect(await marker()).toMatchObject({ version: 2 });
  });

  it('D3 count each of several concurrent saves', async () => {
    const both = { home: { last_read_id: 'AhX2k9QdWmB3v0PzLs' }, notifications: { last_read_id: '5' } };
    await Promise.all(Array.from({ length: 10 }, () => saved(both)));
    expect(await shown()).toMatchObject({ home: { version: 10 }, notifications: { version: 10 } });
  });

  it('V8 belong to one account', async () => {
    await saved({ home: { last_read_id: 'AhX2k9QdWmB3v0PzLs' } });
    expect(await shown(BOTH, await app.world.as('bob'))).toEqual({});
  });
});
