import type { CredentialAccountJson } from '../../../src/accounts/index.js';
import { useApp } from '../../support/servers/app.js';
import type { Client } from '../../support/fixtures/world.js';

const SETTINGS = '/api/v1/svc/settings';

const app = useApp({ people: ['alice', 'bob'] });
let alice: Client;

beforeEach(async () => {
  alice = await app.world.as('alice');
});

const kept = async (name: string, client = alice) =>
  (await client.get(`${SETTINGS}/${name}`).expect(200)).body as unknown;

describe('the settings of a frontend', () => {
  it('are empty at first', async () => {
    expect(await kept('fe')).toEqual({});
  });

  it('are merged, and null removes a key', async () => {
    await alice.patch(`${SETTINGS}/fe`, { a: 1, b: { c: 2, d: [1] } }).expect(200, { a: 1, b: { c: 2, d: [1] } });
    await alice.patch(`${SETTINGS}/fe`, { a: null, b: { c: 3 } }).expect(200, { b: { c: 3, d: [1] } });
    expect(await kept('fe')).toEqual({ b: { c: 3, d: [1] } });
    await alice.patch('/api/svc/settings/fe', { b: null }).expect(200, {});
  });

  it('belong to one user and one frontend', async () => {
    await alice.patch(`${SETTINGS}/fe`, { a: 1 }).expect(200);
    await alice.patch(`${SETTINGS}/other fe`, { b: 1 }).expect(200);
    expect(await kept('fe')).toEqual({ a: 1 });
    expect(await kept('other fe')).toEqual({ b: 1 });
    expect(await kept('fe', await app.world.as('bob'))).toEqual({});
  });

  it('accept any key, and store nothing of the query', async () => {
    const odd = { app: 'x', svc_settings_store: 1, id: 5 };
    await alice.patch(`${SETTINGS}/fe?query=1`, odd).expect(200, odd);
    await alice.patch(`${SETTINGS}/__proto__`, { a: 1 }).expect(200, { a: 1 });
    expect(await kept('__proto__')).toEqual({ a: 1 });
  });

  it('are the same as in the credentials', async () => {
    await alice.patch(`${SETTINGS}/fe`, { a: { b: 1 } }).expect(200);
    const change = { svc_settings_store: { other: { c: 1 } } };
    const { svc } = (await alice.patch('/api/v1/accounts/update_credentials', change)).body as CredentialAccountJson;
    expect(svc.settings_store).toEqual({ fe: { a: { b: 1 } }, other: { c: 1 } });
    expect(await kept('other')).toEqual({ c: 1 });
  });

  it('are empty when the credentials route stored no object, and can then be changed again', async () => {
    await alice.patch('/api/v1/accounts/update_credentials', { svc_settings_store: { fe: 'text' } }).expect(200);
    expect(await kept('fe')).toEqual({});
    await alice.patch(`${SETTINGS}/fe`, { a: 1 }).expect(200, { a: 1 });
  });

  it('lose nothing to concurrent changes', async () => {
    const names = Array.from({ length: 12 }, (_, n) => `key${n}`);
    await Promise.all([
      ...names.map((name) => alice.patch(`${SETTINGS}/fe`, { deep: { [name]: name } }).expect(200)),
      alice.patch('/api/v1/accounts/update_credentials', { svc_settings_store: { other: { a: 1 } } }).expect(200),
    ]);
    expect(await kept('fe')).toEqual({ deep: Object.fromEntries(names.map((name) => [name, name])) });
    expect(await kept('other')).toEqual({ a: 1 });
  });

  it('H5 H17 must be an object of limited size', async () => {
    const filler = { text: 'x'.repeat(900_000) };
    await alice.patch(`${SETTINGS}/a`, filler).expect(200);
    await alice.patch(`${SETTINGS}/b`, filler).expect(400, { error: 'The settings store is full' });
    expect(await kept('b')).toEqual({});
    await alice.patch(`${SETTINGS}/${'x'.repeat(101)}`, { a: 1 }).expect(400);
    for (const body of ['[1]', '"text"', 'null', '{"a":']) {
      const { status } = await app.http
        .patch(`${SETTINGS}/fe`)
        .auth(alice.token, { type: 'bearer' })
        .type('json')
        .send(body);
      expect([body, status]).toEqual([body, 400]);
    }
    expect(await kept('fe')).toEqual({});
  });

  it('require their scopes', async () => {
    const [reader, writer] = [
      await app.world.as('alice', 'read:accounts'),
      await app.world.as('alice', 'write:accounts'),
    ];
    await reader.patch(`${SETTINGS}/fe`, { a: 1 }).expect(403);
    await writer.patch(`${SETTINGS}/fe`, { a: 1 }).expect(200);
    await writer.get(`${SETTINGS}/fe`).expect(403);
    await reader.get(`${SETTINGS}/fe`).expect(200, { a: 1 });
    await app.world.anonymous.get(`${SETTINGS}/fe`).expect(401);
  });
});
