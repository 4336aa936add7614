import { PushDeliveryService } from '../../src/notifications/push/push-delivery.service.js';
import { useApp } from '../support/servers/app.js';
import { builtEndpoints } from '../support/fixtures/endpoints.js';
import { PushService, usePushService } from '../support/servers/push-service.js';
import { ok } from '../support/fixtures/statuses.js';
import { Matrix } from '../support/visibility/matrix.js';
import { inArchive, inNotifications, isSignedIn, type Viewer, VIEWERS } from '../support/visibility/oracle.js';
import { type Scene, TAG } from '../support/visibility/planted.js';
import { buildScene } from '../support/visibility/scene.js';
import { FAMILIES, isAlikeForAll, isBarren, type Surface, UNSTORED } from '../support/visibility/surfaces.js';
import { unzipped } from '../support/fixtures/zip.js';

/*
 * Tests every viewer with every post on every surface (threats V1 to V6, V10, V15): `test/support/visibility/oracle.ts` defines
 * viewers, posts and the expected visibility, and `surfaces.ts` the surfaces, one per line. A refused viewer asks again after
 * a permitted viewer has read the same, and must get the answer for an unknown id.
 * Streams have a matrix of their own: `test/streaming/visibility.spec.ts`.
 */

let matrix: Matrix;
afterAll(() => matrix.close()); // before the server, which waits for its connections

const service = usePushService();
const app = useApp({ once: [], env: { ALLOWED_PRIVATE_ADDRESSES: PushService.HOST }, listening: true });
let scene: Scene;

beforeAll(async () => {
  scene = await buildScene(app);
  matrix = new Matrix(scene, app.env.baseUrl);
}, 240_000);

/** Expects that each surface showed a post to a viewer, except surfaces that never show any. */
function expectFruit(surfaces: readonly Surface[]): void {
  const seen = (surface: Surface) => matrix.tallies.get(surface.name)!.seen > 0;
  expect(surfaces.filter((surface) => seen(surface) === isBarren(surface)).map(({ name }) => name)).toEqual([]);
}

/** The viewers for surfaces that answer all viewers alike. */
const SOME = ['anonymous', 'deactivated', 'stranger', 'follower', 'blocked', 'author'];
const viewers = (...names: string[]): Viewer[] => VIEWERS.filter(({ name }) => names.includes(name));

/** The texts of an archive, one after the other. */
async function archiveOf({ name }: Viewer): Promise<string> {
  const client = await app.world.as(name);
  await ok(client.post('/api/v1/svc/backups'));
  await app.drain();
  const [backup] = await ok<{ url: string }[]>(client.get('/api/v1/svc/backups'));
  const zip = await app.http.get(new URL(backup!.url).pathname).responseType('blob').expect(200);
  return [...(await unzipped(zip.body as Buffer)).values()].map(String).join('\n');
}

/** The push messages to a viewer for the notifications of all posts. */
async function pushedTo({ name }: Viewer): Promise<string> {
  const device = service.subscriber(name);
  const { endpoint, keys } = device;
  const client = await app.world.as(name);
  const data = { alerts: { status: true } };
  const { id } = await ok<{ id: string }>(
    client.post('/api/v1/push/subscription', { subscription: { endpoint, keys }, data }),
  );
  const due = scene.posts.map(({ notifications }) => notifications.get(name)).filter((told) => told !== undefined);
  for (const told of due) await app.get(PushDeliveryService).send({ subscriptionId: id, notificationId: told });
  return JSON.stringify(service.take().map((push) => device.open(push)));
}

describe('V1 V2 V3 V4 V5 V6 a post', () => {
  it.each(Object.entries(FAMILIES))(
    'is shown to exactly its permitted viewers in: %s',
    async (family, surfaces) => {
      expect(await matrix.check(surfaces, isAlikeForAll(family) ? viewers(...SOME) : VIEWERS)).toEqual([]);
      expectFruit(surfaces);
    },
    240_000,
  );

  it('is contained only in the archive of its author', async () => {
    const archive = { name: 'archive', rule: inArchive };
    const faults = await matrix.faultsOf(async () => {
      for (const viewer of viewers('author', 'follower', 'mentioned'))
        matrix.judge(archive, viewer, await archiveOf(viewer));
    });
    expect(faults).toEqual([]);
  });

  it('is pushed only to viewers who may be notified of it', async () => {
    const push = { name: 'push', rule: inNotifications };
    const faults = await matrix.faultsOf(async () => {
      for (const viewer of VIEWERS.filter(isSignedIn)) matrix.judge(push, viewer, await pushedTo(viewer));
    });
    expect(faults).toEqual([]);
    expect(matrix.tallies.get(push.name)!.seen).toBeGreaterThan(0);
  });

  it('does not appear on any route that is missing among the surfaces', async () => {
    const asked = new Set(
      Object.values(FAMILIES)
        .flat()
        .map((surface) => matrix.routeOf(surface)),
    );
    const isAsked = (path: string) =>
      asked.has(`GET ${path}`) || asked.has(`GET ${path.replace('/api/svc', '/api/v1/svc')}`);
    const others = builtEndpoints().filter(
      ({ method, path }) => method === 'GET' && !path.includes('/streaming') && !isAsked(path),
    );
    const { id, poll } = scene.post('author public full stands');
    const values = [id, scene.id('author'), 'author', TAG, poll, scene.lists.get('follower')!];
    const showing = new Set<string>();
    for (const { path } of others)
      for (const value of path.includes(':') ? values : [''])
        for (const viewer of viewers('author', 'follower')) {
          const { body } = await matrix.ask(viewer, path.replaceAll(/[:*]\w+/g, value));
          if (body.includes('canary-')) showing.add(path); // add it to the surfaces
        }
    expect([...showing]).toEqual([]);
  });

  it('is shown to exactly its permitted viewers in: home timelines that are not stored', async () => {
    await app.sql(`update users set feed_floor = 'zzzzzzzzzzzzzzzzzz'`);
    expect(await matrix.check(UNSTORED, VIEWERS)).toEqual([]);
    expectFruit(UNSTORED);
  });

  it('is checked in at least 5,000 reads without a leak', () => {
    console.log(matrix.report('visibility'));
    const names = [...Object.values(FAMILIES).flat(), ...UNSTORED].map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length); // equal names would share one tally
    expect(matrix.leaks).toEqual([]);
    expect(matrix.total.reads).toBeGreaterThanOrEqual(5_000);
  });
});
