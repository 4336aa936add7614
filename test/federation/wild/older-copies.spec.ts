import { RemoteActors } from '../../../src/federation/fetch/remote-actors.js';
import { eventually } from '../../support/eventually.js';
import { newKey, type RawActor, sendTo, useBeside, usePeer } from '../../support/federation/raw-peer.js';

type Json = Readonly<Record<string, unknown>>;

const peer = usePeer();
const app = useBeside([peer], { once: ['ada'] });
let names = 0;
let mo: RawActor;
let path: string;
const keys = [newKey(), newKey()] as const;

beforeEach(async () => {
  mo = peer.actor(`mo${(names += 1)}`, keys[0], { name: 'Old' });
  path = new URL(mo.uri).pathname;
  await send({ type: 'Follow', object: `${app.env.baseUrl}/users/ada` });
});

const send = (activity: Json) => sendTo(app, mo, { id: `${mo.uri}#${(names += 1)}`, ...activity });
const served = () => peer.answers.get(path) as Json;
const serve = (changes: Json) => void peer.answers.set(path, { ...served(), ...changes });
const update = (changes: Json) => send({ type: 'Update', object: { ...served(), ...changes } });
const refresh = () => app.get(RemoteActors).refresh(mo.uri);
const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
async function name(): Promise<string | undefined> {
  const rows = await app.sql<{ name: string }>('select display_name as name from accounts where ap_id = $1', [mo.uri]);
  return rows[0]?.name;
}

describe('F30 A document that is fetched after an Update', () => {
  it.each<[string, Record<string, string>, string]>([
    ['is ignored when it may be a copy of three minutes ago', { 'cache-control': 'max-age=180, public' }, 'New'],
    ['is ignored when a shared cache may be older', { 'cache-control': 'public, s-maxage=3600, max-age=0' }, 'New'],
    ['is ignored when it says that it is a copy', { age: '30' }, 'New'],
    ['is used when no cache may store it', { 'cache-control': 'max-age=0, private, must-revalidate' }, 'Old'],
    ['is used when it says nothing about caches', {}, 'Old'],
  ])('%s', async (_what, headers, known) => {
    peer.headers.set(path, headers);
    await update({ name: 'New' });
    expect(await name()).toBe('New');
    await refresh();
    expect(await name()).toBe(known);
  });

  it('that states its time of change is ordered by that time, whatever its cache headers say', async () => {
    peer.headers.set(path, { 'cache-control': 'max-age=180' });
    serve({ updated: at(-60) });
    await update({ name: 'New', updated: at(-20) });
    serve({ name: 'Older', updated: at(-30) });
    await refresh();
    expect(await name()).toBe('New');
    serve({ name: 'Newer', updated: at(-10) });
    await refresh();
    expect(await name()).toBe('Newer');
  });

  it('replaces no key or address by an older one', async () => {
    peer.headers.set(path, { 'cache-control': 'max-age=180' });
    await update({ name: 'New' });
    serve({ publicKey: { id: mo.keyId, owner: mo.uri, publicKeyPem: keys[1].pem }, inbox: `${mo.uri}/old` });
    await refresh();
    const stored = await app.sql('select public_pem from remote_keys where owner_uri = $1', [mo.uri]);
    expect(stored).toEqual([{ public_pem: keys[0].pem }]);
    expect(await app.sql('select inbox_url from accounts where ap_id = $1', [mo.uri])).toEqual([
      { inbox_url: `${mo.uri}/inbox` },
    ]);
  });

  it('is used after a day, since clocks are set back and data restored', async () => {
    serve({ updated: at(-1) });
    await update({ name: 'New' });
    serve({ name: 'Restored', updated: at(-3000) });
    await refresh();
    expect(await name()).toBe('New');
    await app.sql(`update accounts set refreshed_at = now() - interval '25 hours' where ap_id = $1`, [mo.uri]);
    await refresh();
    expect(await name()).toBe('Restored');
  });
});

describe('F30 An Update', () => {
  it('is not undone by a look-up that began before it and ends after it', async () => {
    const copy = served();
    let answer = (_document: Json): void => undefined;
    const { length } = peer.seen;
    peer.answers.set(path, new Promise<Json>((resolve) => void (answer = resolve)));
    const looking = refresh();
    await eventually(() => expect(peer.seen.length).toBeGreaterThan(length));
    peer.answers.set(path, copy);
    await update({ name: 'New' });
    expect(await name()).toBe('New');
    answer(copy);
    await looking;
    expect(await name()).toBe('New');
  });

  it('that contains only the address is not answered by a look-up that began before it', async () => {
    const copy = served();
    let answer = (_document: Json): void => undefined;
    const { length } = peer.seen;
    peer.answers.set(path, new Promise<Json>((resolve) => void (answer = resolve)));
    const looking = refresh();
    await eventually(() => expect(peer.seen.length).toBeGreaterThan(length));
    peer.answers.set(path, { ...copy, name: 'New' });
    await send({ type: 'Update', object: mo.uri });
    answer(copy);
    await looking;
    expect(await name()).toBe('New');
  });

  it('that comes after a later one changes nothing', async () => {
    await update({ name: 'Second', updated: at(-1) });
    await update({ name: 'First', updated: at(-2) });
    expect(await name()).toBe('Second');
  });
});
