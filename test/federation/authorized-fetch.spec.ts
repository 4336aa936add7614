import { Logger } from '@nestjs/common';
import { SettingsService } from '../../src/config/index.js';
import {
  cavageHeaders,
  newKey,
  type RawActor,
  rfc9421Headers,
  type SignOptions,
  usePeer,
} from '../support/federation/raw-peer.js';
import { ok } from '../support/fixtures/statuses.js';
import { countQueries } from '../support/queries.js';
import type { Client } from '../support/fixtures/world.js';
import { useApp } from '../support/servers/app.js';

const ACCEPT = 'application/activity+json';
const CLOSED = 'private, no-store';

describe('The ActivityPub server', () => {
  const peer = usePeer();
  const app = useApp({ once: ['ada'], env: () => ({ ALLOWED_PRIVATE_ADDRESSES: peer.host }) });
  let ada: Client;
  let follower: RawActor;
  let mentioned: RawActor;
  let stranger: RawActor;
  const posts: Record<string, string> = {};
  const ids: Record<string, string> = {};
  let boost: string;

  beforeAll(async () => {
    const key = newKey();
    [follower, mentioned, stranger] = ['mo', 'mia', 'sam'].map((name) => peer.actor(name, key)) as [
      RawActor,
      RawActor,
      RawActor,
    ];
    ada = await app.world.as('ada');
    for (const actor of [follower, mentioned, stranger]) await deliver(actor, 'Like', 'nothing');
    await deliver(follower, 'Follow', `${app.env.baseUrl}/users/ada`);
    for (const visibility of ['public', 'private', 'direct', 'local'])
      posts[visibility] = await write(`tea @${mentioned.handle}`, visibility);
    posts['unnamed'] = await write('for followers', 'private');
    const { uri } = await ok<{ uri: string }>(ada.post(`/api/v1/statuses/${ids['public']!}/reblog`));
    boost = new URL(uri).pathname;
    await app.drain();
  });
  afterEach(() => app.get(SettingsService).reset('activitypub.authorized_fetch_mode'));

  async function deliver(actor: RawActor, type: string, object: string): Promise<void> {
    const body = JSON.stringify({ id: `${actor.uri}#${type}`, type, actor: actor.uri, object });
    const headers = cavageHeaders(actor, `${app.env.baseUrl}/inbox`, { body });
    await app.http.post('/inbox').set(headers).send(body).expect(202);
    await app.drain();
  }

  async function write(status: string, visibility: string): Promise<string> {
    const { id, uri } = await ok<{ id: string; uri: string }>(ada.post('/api/v1/statuses', { status, visibility }));
    ids[visibility] = id;
    return new URL(uri).pathname;
  }

  const demandSignatures = () =>
    app.get(SettingsService).update([{ path: 'activitypub.authorized_fetch_mode', value: true }]);
  const fetched = (path: string) => app.http.get(path).set('accept', ACCEPT);
  const fetchedBy = (actor: RawActor, path: string, options: SignOptions = {}) => {
    return fetched(path).set(cavageHeaders(actor, app.env.baseUrl + path, options));
  };

  it.each([
    ['public', [200, 200, 200, 200]],
    ['private', [404, 200, 200, 404]],
    ['unnamed', [404, 200, 404, 404]],
    ['direct', [404, 404, 200, 404]],
    ['local', [404, 404, 404, 404]],
  ])('V5 answers anonymous, follower, mentioned and other readers of the %s post with %j', async (name, expected) => {
    const path = posts[name] ?? '';
    const answers = [
      await fetched(path),
      await fetchedBy(follower, path),
      await fetchedBy(mentioned, path),
      await fetchedBy(stranger, path),
    ];
    expect(answers.map(({ status }) => status)).toEqual(expected);
    const creations = [await fetched(`${path}/activity`), await fetchedBy(follower, `${path}/activity`)];
    expect(creations.map(({ status }) => status)).toEqual(expected.slice(0, 2));
  });

  it('V6 forbids caches to store posts that are not public', async () => {
    for (const actor of [follower, stranger]) {
      const { headers } = await fetchedBy(actor, posts['private'] ?? '');
      expect(headers['cache-control']).toBe(CLOSED);
      expect(headers['vary']).toMatch(/Signature/);
    }
    await fetched(posts['private'] ?? '')
      .expect(404)
      .expect('cache-control', CLOSED);
    await fetched(posts['public'] ?? '').expect('cache-control', 'public, max-age=180');
  });

  it('hides private posts when the signature is invalid', async () => {
    const path = posts['private'] ?? '';
    await fetchedBy(follower, path, { key: newKey() }).expect(404);
    await fetchedBy(follower, path, { target: posts['public'] ?? '' }).expect(404);
    await fetchedBy(follower, path, { date: new Date(0) }).expect(404);
  });

  it('hides posts from accounts that the author blocks', async () => {
    const [{ id }] = (await app.sql<{ id: string }>('select id from accounts where ap_id = $1', [stranger.uri])) as [
      { id: string },
    ];
    await demandSignatures();
    await fetchedBy(stranger, posts['public'] ?? '').expect(200);
    await ada.post(`/api/v1/accounts/${id}/block`).expect(200);
    await fetchedBy(stranger, posts['public'] ?? '').expect(404);
    await ada.post(`/api/v1/accounts/${id}/unblock`).expect(200);
  });

  describe.each([false, true])('F28 with authorized fetch %s, an account that the author blocks', (isDemanded) => {
    const documents = (): Record<string, string> => ({
      'the post': posts['public']!,
      'its Create': `${posts['public']!}/activity`,
      'its other address': `/users/ada/statuses/${ids['public']!}`,
      'the Create of its other address': `/users/ada/statuses/${ids['public']!}/activity`,
      'its replies': `${posts['public']!}/replies`,
      'a page of its replies': `${posts['public']!}/replies?page=true`,
      'a boost': boost,
      'the outbox': '/users/ada/outbox',
      'a page of the outbox': '/users/ada/outbox?page=true',
      'the pinned posts': '/users/ada/collections/featured',
      'the followers': '/users/ada/followers',
      'a page of the accounts it follows': '/users/ada/following?page=true',
    });
    const block = async (verb: 'block' | 'unblock') => {
      const [row] = await app.sql<{ id: string }>('select id from accounts where ap_id = $1', [stranger.uri]);
      await ada.post(`/api/v1/accounts/${row!.id}/${verb}`).expect(200);
    };
    beforeEach(async () => {
      if (isDemanded) await demandSignatures();
      await block('block');
    });
    afterEach(() => block('unblock'));

    it.each(Object.keys(documents()))('cannot read %s', async (name) => {
      const path = documents()[name]!;
      await fetchedBy(stranger, path).expect(404, { error: 'Not found' }).expect('cache-control', CLOSED);
      await fetched(path)
        .set(rfc9421Headers(stranger, app.env.baseUrl + path))
        .expect(404);
      await fetchedBy(mentioned, path).expect(200);
      await fetched(path).expect(isDemanded ? 401 : 200);
      await block('unblock');
      await fetchedBy(stranger, path).expect(200);
    });

    it('still reads the actor, whose key it needs', async () => {
      await fetchedBy(stranger, '/users/ada').expect(200);
    });

    it('is recognised by its key at any address', async () => {
      await app.sql(`update remote_keys set key_id = $1 where owner_uri = $2`, [`${peer.url}/keys/sam`, stranger.uri]);
      const path = posts['public']!;
      if (!isDemanded) await fetchedBy(stranger, path, { keyId: `${peer.url}/keys/sam` }).expect(404);
      await app.sql(`update remote_keys set key_id = $1 where owner_uri = $2`, [stranger.keyId, stranger.uri]);
    });
  });

  describe('with authorized fetch', () => {
    it('V18 requires a signature', async () => {
      await demandSignatures();
      for (const path of [posts['public'] ?? '', '/objects/unknown', '/users/ada/outbox', '/users/ada/followers']) {
        const refused = await fetched(path).expect(401);
        expect(refused.body).toEqual({ error: 'Request not signed' });
        expect(refused.headers['cache-control']).toBe(CLOSED);
      }
      await fetchedBy(stranger, posts['public'] ?? '')
        .expect(200)
        .expect('cache-control', CLOSED);
      await fetchedBy(stranger, '/users/ada/outbox?page=true').expect(200);
      await fetchedBy(stranger, '/objects/unknown').expect(404);
    });

    it('looks up the signer once per request', async () => {
      await demandSignatures();
      const unknown = peer.actor('noa', newKey());
      const { statements } = await countQueries(async () => fetchedBy(unknown, posts['private'] ?? '').expect(404));
      expect(statements.filter((name) => name === 'accounts.by_uri')).toHaveLength(1);
    });

    it('accepts both signature formats and says why it refuses a signature', async () => {
      await demandSignatures();
      const path = posts['public'] ?? '';
      await fetched(path)
        .set(rfc9421Headers(stranger, app.env.baseUrl + path))
        .expect(200);
      const refused = await fetchedBy(stranger, path, { date: new Date(0) }).expect(401);
      expect(refused.body).toEqual({ error: expect.stringContaining('clock') });
    });

    it('leaves public keys open so that two servers in this mode can verify each other', async () => {
      await demandSignatures();
      const stub = (await fetched('/users/ada').expect(200)).body as Record<string, unknown>;
      expect(Object.keys(stub)).toEqual(['@context', 'id', 'type', 'preferredUsername', 'inbox', 'publicKey']);
      await fetched('/internal/fetch').expect(200);
      await fetched('/.well-known/webfinger?resource=acct:ada@svc.test').expect(200);
      const whole = await fetchedBy(stranger, '/users/ada').expect(200);
      expect(whole.body).toHaveProperty('outbox');
    });

    it.each([
      ['a post for few', () => posts['private']!, false],
      ['a public post', () => posts['public']!, true],
      ['an actor', () => '/users/ada', true],
    ])('answers 503 for %s while it cannot fetch the key of the reader', async (name, path, isDemanded) => {
      if (isDemanded) await demandSignatures();
      const reader = peer.actor(name.replaceAll(' ', '-'), newKey());
      peer.answers.set(new URL(reader.uri).pathname, { status: 503 });
      const logged = jest.spyOn(Logger.prototype, 'error');
      const refused = await fetchedBy(reader, path()).expect(503).expect('retry-after', '60');
      expect(refused.body).toEqual({ error: 'The server of the key cannot be reached' });
      expect(logged).not.toHaveBeenCalled(); // else a stranger fills the log
      logged.mockRestore();
    });

    it('redirects browsers to the web pages', async () => {
      await demandSignatures();
      const page = (path: string) => app.http.get(path).set('accept', 'text/html');
      await page(posts['public'] ?? '').expect(302);
      await page('/users/ada').expect(302);
      await page('/users/ada/outbox').expect(404);
    });
  });
});
