import {
  type KeyOwner,
  type PublicKey,
  RemoteKeyRepository,
} from '../../../src/federation/signatures/remote-key.repository.js';
import { type RemoteKey, RemoteKeys } from '../../../src/federation/signatures/remote-keys.js';
import { SignatureVerifier } from '../../../src/federation/signatures/signature-verifier.js';
import { UnitOfWork } from '../../../src/platform/index.js';
import {
  cavageHeaders,
  newKey,
  type PeerKey,
  type RawActor,
  rfc9421Headers,
  sendTo,
  type SignOptions,
  useBeside,
  usePeer,
} from '../../support/federation/raw-peer.js';

const body = '{"type":"Follow"}';

describe('The verifier', () => {
  const peer = usePeer();
  const other = usePeer();
  const app = useBeside([peer, other], { once: [] });
  let inbox: string;
  let key: PeerKey;
  let otherKey: PeerKey;
  let mo: RawActor;

  beforeAll(() => {
    inbox = `${app.env.baseUrl}/inbox`;
    [key, otherKey] = [newKey(), newKey()];
  });

  let names = 0;
  beforeEach(() => {
    mo = peer.actor(`mo${(names += 1)}`, key); // a new actor, so that cached keys do not affect the next test
  });

  const verify = (headers: Record<string, string>) =>
    app.get(SignatureVerifier).verify({ method: 'POST', url: '/inbox', headers, rawBody: Buffer.from(body) });

  it.each([
    ['cavage', {}],
    ['cavage', { algorithm: 'hs2019', covered: ['(request-target)', 'host', '(created)', 'digest'] }],
    ['cavage', { covered: ['(request-target)', 'host', 'date', 'digest', 'content-type'] }],
    ['rfc9421', {}],
    ['rfc9421', { covered: ['@method', '@authority', '@path', '@query', 'content-digest'] }],
  ])('returns the owner of the key of a signature: %s %j', async (scheme, options) => {
    const headers = scheme === 'cavage' ? cavageHeaders : rfc9421Headers;
    expect(await verify(headers(mo, inbox, { body, ...options }))).toMatchObject({ keyId: mo.keyId, ownerUri: mo.uri });
  });

  it('fetches a key once when several requests need it at the same time', async () => {
    const path = new URL(mo.uri).pathname;
    await Promise.all([1, 2, 3].map(() => verify(cavageHeaders(mo, inbox, { body }))));
    expect(peer.asked(path)).toBe(1);
    expect(await app.sql('select owner_uri from remote_keys where key_id = $1', [mo.keyId])).toEqual([
      { owner_uri: mo.uri },
    ]);
  });

  it.each([
    ['is unreachable', 503, 'unreachable'],
    ['shows no actor', 404, 'gone'],
  ])('F19 keeps a stored key while its server %s and others send wrong signatures', async (_which, status, reason) => {
    const honest = () => verify(cavageHeaders(mo, inbox, { body }));
    const forged = () => verify(cavageHeaders(mo, inbox, { body, key: otherKey }));
    await app.get(RemoteKeys).store({ uri: mo.uri, inbox: `${mo.uri}/inbox` }, [{ keyId: mo.keyId, pem: mo.key.pem }]); // stored without a fetch
    peer.answers.set(new URL(mo.uri).pathname, { status });
    await expect(forged()).rejects.toMatchObject({ reason });
    expect(await honest()).toMatchObject({ ownerUri: mo.uri });
    await expect(forged()).rejects.toMatchObject({ reason: 'signature' });
    expect(peer.asked(new URL(mo.uri).pathname)).toBe(1);
  });

  it('F19 fetches a key again when a signature is invalid, at most every 10 minutes', async () => {
    const rotated = `${mo.uri}#main-key`;
    await app.get(RemoteKeys).store({ uri: mo.uri, inbox: `${mo.uri}/inbox` }, [{ keyId: rotated, pem: otherKey.pem }]);
    expect(await verify(cavageHeaders(mo, inbox, { body }))).toMatchObject({ ownerUri: mo.uri });
    await expect(verify(cavageHeaders(mo, inbox, { body, key: otherKey }))).rejects.toThrow('does not fit');
    await expect(verify(cavageHeaders(mo, inbox, { body, key: otherKey }))).rejects.toThrow('does not fit');
    expect(peer.asked(new URL(mo.uri).pathname)).toBe(1);
  });

  describe('F12 of the deletion of an account', () => {
    beforeEach(() => sendTo(app, mo, { id: `${mo.uri}#like`, type: 'Like', object: `${mo.uri}/notes/1` })); // known from now on
    const remove = (options: SignOptions, status: number) => {
      const sent = JSON.stringify({ id: `${mo.uri}#delete`, type: 'Delete', actor: mo.uri, object: mo.uri });
      const headers = cavageHeaders(mo, inbox, { body: sent, ...options });
      return app.http.post('/inbox').set(headers).send(sent).expect(status);
    };
    const isThere = async () => {
      await app.drain();
      return (await app.sql('select from accounts where ap_id = $1 and deleted_at is null', [mo.uri])).length > 0;
    };
    const nobody = ({ url }: { readonly url: string }) => ({ keyId: `${url}/users/none${names}#key`, key: otherKey });

    it('demands the key of the account while its server shows no actor, maybe for a while', async () => {
      peer.answers.set(new URL(mo.uri).pathname, { status: 404 });
      for (const forged of [nobody(other), nobody(peer), { key: otherKey }]) await remove(forged, 401);
      expect(await isThere()).toBe(true);
      await remove({}, 202);
      expect(await isThere()).toBe(false);
    });

    it('demands no key, but the server of the account, when that says that it was deleted', async () => {
      peer.answers.set(new URL(mo.uri).pathname, { status: 410 });
      await remove(nobody(other), 401);
      expect(await isThere()).toBe(true);
      await remove(nobody(peer), 202);
      expect(await isThere()).toBe(false);
    });
  });

  /** Stores a key of Mo in the database only, unless `store` does more. */
  const storeKey = (
    { pem }: PeerKey,
    store = (owner: KeyOwner, keys: PublicKey[]) => app.get(RemoteKeyRepository).replace(owner, keys),
  ) => store({ uri: mo.uri, inbox: `${mo.uri}/inbox` }, [{ keyId: mo.keyId, pem }]);
  const replaceKey = (by: PeerKey) => storeKey(by, (owner, keys) => app.get(RemoteKeys).store(owner, keys));
  const foundKey = async () =>
    ((await app.get(RemoteKeys).find(mo.keyId)) as RemoteKey).key.export({ type: 'spki', format: 'pem' });

  it('caches no key that was rolled back', async () => {
    await replaceKey(key);
    const failing = app.get(UnitOfWork).run(async () => {
      await replaceKey(otherKey);
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect(await foundKey()).toBe(key.pem);
  });

  it('caches no key that was read before it was replaced', async () => {
    await storeKey(key);
    const repository = app.get(RemoteKeyRepository);
    const row = await repository.byId(mo.keyId);
    const read = Promise.withResolvers<typeof row>();
    jest.spyOn(repository, 'byId').mockImplementationOnce(() => read.promise);
    const early = foundKey();
    await replaceKey(otherKey);
    read.resolve(row);
    await early;
    expect(await foundKey()).toBe(otherKey.pem);
  });

  it('remembers for a while that a key does not exist', async () => {
    const keyId = `${peer.url}/users/nobody${names}#main-key`;
    for (let attempt = 0; attempt < 2; attempt += 1)
      await expect(verify(cavageHeaders(mo, inbox, { body, keyId }))).rejects.toMatchObject({ reason: 'gone' });
    expect(peer.asked(new URL(keyId).pathname)).toBe(1);
  });

  it('reports that the server of a key is unreachable', async () => {
    const keyId = `${peer.url}/users/busy#main-key`;
    peer.answers.set('/users/busy', { status: 503 });
    await expect(verify(cavageHeaders(mo, inbox, { body, keyId }))).rejects.toMatchObject({ reason: 'unreachable' });
  });

  it('accepts a key id without a fragment, and a key document that the owner names', async () => {
    const keyId = `${mo.uri}/main-key`;
    const publicKey = { id: keyId, owner: mo.uri, publicKeyPem: key.pem };
    peer.answers.set(new URL(keyId).pathname, { id: mo.uri, preferredUsername: 'mo', publicKey });
    peer.actor(`mo${names}`, key, { publicKey });
    expect(await verify(cavageHeaders(mo, inbox, { body, keyId }))).toMatchObject({ keyId, ownerUri: mo.uri });
    const separate = `${mo.uri}/key1`;
    peer.answers.set(new URL(separate).pathname, { id: separate, owner: mo.uri, publicKeyPem: key.pem });
    const ann = peer.actor(`mo${names}`, key, { publicKey: [{ ...publicKey }, separate] });
    expect(await verify(cavageHeaders(ann, inbox, { body, keyId: separate }))).toMatchObject({
      keyId: separate,
      ownerUri: mo.uri,
    });
  });

  it('accepts the id of an actor as the id of its key', async () => {
    expect(await verify(cavageHeaders(mo, inbox, { body, keyId: mo.uri }))).toMatchObject({
      keyId: mo.uri,
      ownerUri: mo.uri,
    });
  });

  it.each<[string, (path: string) => void]>([
    [
      'another actor as its owner',
      (path) => peer.answers.set(path, keyDocument(path, { owner: `${peer.url}/users/x` })),
    ],
    [
      'an owner on another server',
      (path) => peer.answers.set(path, keyDocument(path, { owner: `${other.url}/users/x` })),
    ],
    ['an owner that does not name it', (path) => peer.answers.set(path, keyDocument(path, { owner: mo.uri }))],
    ['no owner', (path) => peer.answers.set(path, keyDocument(path, {}))],
    [
      'a private key',
      (path) => peer.answers.set(path, keyDocument(path, { owner: mo.uri, publicKeyPem: '-----BEGIN' })),
    ],
  ])('F3 refuses a key document with %s', async (_, serve) => {
    for (const server of [peer, other]) server.actor('x', otherKey);
    const path = `/keys/${(names += 1)}`;
    serve(path);
    const headers = cavageHeaders(mo, inbox, { body, keyId: `${peer.url}${path}`, key: otherKey });
    await expect(verify(headers)).rejects.toMatchObject({ reason: 'key' });
  });

  it('F3 refuses a key of this server without fetching it', async () => {
    const keyId = `${app.env.baseUrl}/users/ada#main-key`;
    await expect(verify(cavageHeaders(mo, inbox, { body, keyId }))).rejects.toMatchObject({ reason: 'key' });
  });

  it.each([1024, 2048, 4096])('accepts keys of %i bits', async (bits) => {
    const old = peer.actor(`old${bits}`, newKey(bits));
    await expect(verify(cavageHeaders(old, inbox, { body }))).resolves.toMatchObject({ ownerUri: old.uri });
  });

  it.each([512, 1016])('refuses weak keys of %i bits', async (bits) => {
    const wim = peer.actor(`wim${bits}`, newKey(bits));
    await expect(verify(cavageHeaders(wim, inbox, { body }))).rejects.toMatchObject({ reason: 'key' });
  });

  function keyDocument(path: string, changes: object): Record<string, unknown> {
    return { id: `${peer.url}${path}`, type: 'Key', publicKeyPem: otherKey.pem, ...changes };
  }
});
