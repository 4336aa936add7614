import { createECDH } from 'node:crypto';
import { VapidKeys } from '../../../src/config/index.js';
import { createApp } from '../../../src/server.js';
import { useApp } from '../../support/servers/app.js';
import { ok } from '../../support/fixtures/statuses.js';

const app = useApp({ once: [] });

/** The key of another process on the same database. */
async function keysElsewhere(env = app.env) {
  const other = await createApp(env, app.address);
  return { keys: other.get(VapidKeys), close: () => other.close() };
}

it('creates one key when several processes start at once, and each can sign with it', async () => {
  const others = await Promise.all([keysElsewhere(), keysElsewhere()]);
  const pairs = await Promise.all([app.get(VapidKeys), ...others.map(({ keys }) => keys)].map((keys) => keys.pair()));
  expect(new Set(pairs.map(({ privateKey }) => privateKey)).size).toBe(1);
  const [pair] = pairs;
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(pair!.privateKey, 'base64url');
  expect(curve.getPublicKey('base64url')).toBe(pair!.publicKey);
  await Promise.all(others.map(({ close }) => close()));
});

it('shows apps the same key in every document, and keeps it', async () => {
  const key = await app.get(VapidKeys).publicKey();
  const registration = { client_name: 'Bird', redirect_uris: 'urn:ietf:wg:oauth:2.0:oob', scopes: 'push' };
  const registered = await ok<object>(app.world.anonymous.post('/api/v1/apps', registration));
  const credentials = await ok<object>((await app.world.asApp()).get('/api/v1/apps/verify_credentials'));
  expect([registered, credentials]).toMatchObject([{ vapid_key: key }, { vapid_key: key }]);
  expect(await ok<object>(app.world.anonymous.get('/api/v1/instance'))).toMatchObject({
    svc: { vapid_public_key: key },
  });
  expect(await ok<object>(app.world.anonymous.get('/api/v2/instance'))).toMatchObject({
    configuration: { vapid: { public_key: key } },
    svc: { vapid_public_key: key },
  });
  const later = await keysElsewhere();
  expect(await later.keys.publicKey()).toBe(key);
  await later.close();
});

it('seals the private key in the database: it does not open with another SECRET_KEY', async () => {
  const { privateKey } = await app.get(VapidKeys).pair();
  const [row] = await app.sql<{ stored: string }>(`select encode(private_sealed, 'hex') as stored from server_keys`);
  expect(row!.stored).not.toContain(Buffer.from(privateKey, 'base64url').toString('hex'));
  const stranger = await keysElsewhere({ ...app.env, secretKey: Buffer.alloc(32, 7) });
  await expect(stranger.keys.pair()).rejects.toThrow('does not open with this SECRET_KEY');
  await stranger.close();
});
