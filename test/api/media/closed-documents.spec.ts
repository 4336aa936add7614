import { type SettingPath, SettingsService } from '../../../src/config/index.js';
import { AccountArchiveService } from '../../../src/federation/index.js';
import { useApp } from '../../support/servers/app.js';
import { ok, post } from '../../support/fixtures/statuses.js';

const ACTOR = '/users/alice';
const ACTIVITY_JSON = 'application/activity+json';

const app = useApp({ once: ['alice'] });
let note: string;
let tombstone: string;

beforeAll(async () => {
  const alice = await app.world.as('alice');
  await ok<unknown>(alice.patch('/api/v1/accounts/update_credentials', { note: 'about me' }));
  note = new URL((await post(app, 'alice', 'hello')).uri).pathname;
  const gone = await post(app, 'alice', 'gone');
  tombstone = new URL(gone.uri).pathname;
  await alice.delete(`/api/v1/statuses/${gone.id}`).expect(200);
});

const set = (path: SettingPath, value: unknown) => app.get(SettingsService).update([{ path, value }]);
const SETTINGS: readonly SettingPath[] = [
  'instance.public',
  'restrict_unauthenticated.profiles',
  'restrict_unauthenticated.activities',
  'restrict_unauthenticated.timelines',
];
afterEach(async () => {
  for (const path of SETTINGS) await app.get(SettingsService).reset(path);
});

const fetched = (path: string, accept = ACTIVITY_JSON) => app.http.get(path).set('accept', accept);

describe('V18 a server that gives unsigned readers the access of visitors', () => {
  it.each<[setting: SettingPath, value: unknown, actor: 'full' | 'key', note: 200 | 401]>([
    ['instance.public', true, 'full', 200],
    ['instance.public', false, 'key', 401],
    ['restrict_unauthenticated.profiles', { local: true, remote: false }, 'key', 200],
    ['restrict_unauthenticated.profiles', { local: false, remote: true }, 'full', 200],
    ['restrict_unauthenticated.activities', { local: true, remote: false }, 'full', 401],
    ['restrict_unauthenticated.activities', { local: false, remote: true }, 'full', 200],
    ['restrict_unauthenticated.timelines', { local: true, federated: true }, 'full', 200],
  ])('with %s %j shows the actor in %s and answers the note with %i', async (setting, value, actor, status) => {
    const whole = (await fetched(ACTOR).expect(200)).body as Record<string, unknown>;
    await set(setting, value);

    const seen = await fetched(ACTOR).expect(200);
    const { '@context': context, id, type, preferredUsername, inbox, publicKey } = whole;
    const key = { '@context': context, id, type, preferredUsername, inbox, publicKey };
    expect(seen.body).toEqual(actor === 'full' ? whole : key);
    expect(seen.headers['cache-control']).toBe(actor === 'full' ? 'public, max-age=180' : 'private, no-store');
    expect(seen.headers['vary']).toMatch(/Signature/);

    const answer = await fetched(note).expect(status);
    if (status === 401) expect(answer.body).toEqual({ error: 'This resource requires a signature' });
    else expect(answer.body).toMatchObject({ type: 'Note' });
    expect(answer.headers['cache-control']).toBe(status === 401 ? 'private, no-store' : 'public, max-age=180');
  });

  it('does not reveal which posts exist', async () => {
    await set('instance.public', false);
    const unknown = '/objects/00000000-0000-4000-8000-000000000000';
    const answers = await Promise.all([note, tombstone, unknown].map((path) => fetched(path)));
    expect(answers.map(({ status, text }) => ({ status, text }))).toEqual(
      Array(3).fill({ status: 401, text: '{"error":"This resource requires a signature"}' }),
    );
    await fetched(note, 'text/html').expect(404);
    await fetched('/users/nobody').expect(404);
  });

  it('still serves WebFinger and NodeInfo', async () => {
    await set('instance.public', false);
    for (const path of [
      '/.well-known/webfinger?resource=acct:alice@svc.test',
      '/.well-known/host-meta',
      '/.well-known/nodeinfo',
      '/nodeinfo/2.1',
      '/schemas/litepub-0.1.jsonld',
    ]) {
      await app.http.get(path).expect(200);
    }
  });

  it('keeps the whole actor in archives', async () => {
    await set('instance.public', false);
    expect(await app.get(AccountArchiveService).actor(app.world.id('alice'))).toMatchObject({
      summary: '<p>about me</p>',
    });
  });
});
