import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PushDeliveryService } from '../../src/notifications/push/push-delivery.service.js';
import type { TestApp } from '../support/servers/app.js';
import { builtEndpoints } from '../support/fixtures/endpoints.js';
import { startListeningApp } from '../support/servers/listen.js';
import { PushService } from '../support/servers/push-service.js';
import { ok } from '../support/fixtures/statuses.js';
import { Matrix } from '../support/visibility/matrix.js';
import { inArchive, inNotifications, isSignedIn, type Viewer, VIEWERS } from '../support/visibility/oracle.js';
import { type Scene, TAG } from '../support/visibility/planted.js';
import { buildScene } from '../support/visibility/scene.js';
import { FAMILIES, isAlikeForAll, isBarren, type Surface, UNSTORED } from '../support/visibility/surfaces.js';
import { unzipped } from '../support/fixtures/zip.js';

/*
 * Every viewer, every post, every surface (threats V1 to V6, V10, V15): viewers, posts and who is to see what stand in
 * `test/support/visibility/oracle.ts`, surfaces in `surfaces.ts`, one line for each. Whoever is refused is asked again after
 * somebody has read the same who may, and what is answered then is what an id gets that nobody has.
 * Streams have a matrix of their own: `test/streaming/visibility.spec.ts`.
 */

let service: PushService;
let app: TestApp;
let scene: Scene;
let matrix: Matrix;

beforeAll(async () => {
  service = await PushService.start();
  app = await startListeningApp({ ALLOWED_PRIVATE_ADDRESSES: PushService.HOST });
  scene = await buildScene(app);
  matrix = new Matrix(scene, app.env.baseUrl);
}, 240_000);
afterAll(async () => {
  matrix.close();
  await app.close();
  await service.close();
});

/** Somebody is shown something there, or nobody ever is. */
function expectFruit(surfaces: readonly Surface[]): void {
  const seen = (surface: Surface) => matrix.tallies.get(surface.name)!.seen > 0;
  expect(surfaces.filter((surface) => seen(surface) === isBarren(surface)).map(({ name }) => name)).toEqual([]);
}

/** Enough where it makes no difference who asks. */
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

/** What comes to a device of somebody who is told of every post. */
async function pushedTo({ name }: Viewer): Promise<string> {
  const device = service.subscriber(name);
  const { endpoint, keys } = device;
  const client = await app.world.as(name);
  const data = { alerts: { status: true } };
  const { id } = await ok<{ id: string }>(
    client.post('/api/v1/push/subscription', { subscription: { endpoint, keys }, data }),
  );
  const due = scene.posts.map(({ notifications }) => notifications.get(name)).filter((told) => told !== undefined);
  for (const told of due) await app.get(PushDeliveryService).send({ subscription_id: id, notification_id: told });
  return JSON.stringify(service.take().map((push) => device.open(push)));
}

describe('V1 V2 V3 V4 V5 V6 every post is shown to exactly those for whom it is', () => {
  it.each(Object.entries(FAMILIES))(
    '%s',
    async (family, surfaces) => {
      expect(await matrix.check(surfaces, isAlikeForAll(family) ? viewers(...SOME) : VIEWERS)).toEqual([]);
      expectFruit(surfaces);
    },
    240_000,
  );

  it('an archive of somebody', async () => {
    const archive = { name: 'archive', rule: inArchive };
    const faults = await matrix.faultsOf(async () => {
      for (const viewer of viewers('author', 'follower', 'mentioned'))
        matrix.judge(archive, viewer, await archiveOf(viewer));
    });
    expect(faults).toEqual([]);
  });

  it('what is pushed', async () => {
    const push = { name: 'push', rule: inNotifications };
    const faults = await matrix.faultsOf(async () => {
      for (const viewer of VIEWERS.filter(isSignedIn)) matrix.judge(push, viewer, await pushedTo(viewer));
    });
    expect(faults).toEqual([]);
    expect(matrix.tallies.get(push.name)!.seen).toBeGreaterThan(0);
  });

  it('nothing where no posts belong', async () => {
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
          if (body.includes('canary-')) showing.add(path); // give it a line among the surfaces
        }
    expect([...showing]).toEqual([]);
  });

  it('home timelines that are not stored', async () => {
    await app.sql(`update users set feed_floor = 'zzzzzzzzzzzzzzzzzz'`);
    expect(await matrix.check(UNSTORED, VIEWERS)).toEqual([]);
    expectFruit(UNSTORED);
  });

  it('in thousands of reads', () => {
    console.log(matrix.report('visibility'));
    const names = [...Object.values(FAMILIES).flat(), ...UNSTORED].map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length); // or two would be counted as one
    expect(matrix.leaks).toEqual([]);
    expect(matrix.total.reads).toBeGreaterThanOrEqual(5_000);
  });
});
