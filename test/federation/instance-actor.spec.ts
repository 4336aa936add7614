import { createPublicKey, verify } from 'node:crypto';
import { RequestSigner } from '../../src/federation/signatures/request-signer.js';
import { SigningKeys } from '../../src/federation/signatures/signing-keys.js';
import { useApp } from '../support/servers/app.js';

const hop = { method: 'POST', url: new URL('https://b.example/inbox?x=1'), headers: {}, body: Buffer.from('{}') };

describe('The instance actor', () => {
  const app = useApp({ once: [] });

  it('is served without a signature', async () => {
    const response = await app.http.get('/internal/fetch').expect(200);
    expect(response.headers['content-type']).toContain('application/activity+json');
    expect(response.body).toMatchObject({
      id: 'https://svc.test/internal/fetch',
      type: 'Application',
      preferredUsername: 'svc.test',
      publicKey: { id: 'https://svc.test/internal/fetch#main-key', owner: 'https://svc.test/internal/fetch' },
    });
  });

  it('can be found by WebFinger, since some servers look up every actor that signs', async () => {
    for (const resource of ['acct:svc.test@svc.test', 'https://svc.test/internal/fetch']) {
      const response = await app.http.get('/.well-known/webfinger').query({ resource }).expect(200);
      expect(response.body).toMatchObject({
        subject: 'acct:svc.test@svc.test',
        links: [{ rel: 'self', type: 'application/activity+json', href: 'https://svc.test/internal/fetch' }],
      });
    }
    await app.http.get('/.well-known/webfinger?resource=acct:other.test@svc.test').expect(404);
  });

  const LD = 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"';
  it.each([
    ['application/activity+json', true],
    [LD, true],
    ['application/ld+json', true],
    [`${LD}, application/activity+json, application/json`, true],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', false],
    ['*/*', false],
    ['application/json', false],
    ['text/html, application/activity+json;q=0.5', false],
  ])('is served at the root for the accept header %s: %s', async (accept, isActor) => {
    const { headers, body } = await app.http.get('/').set({ accept }).expect(200);
    expect(headers['vary']).toMatch(/\bAccept\b(?!-)/);
    if (!isActor) {
      expect(headers['content-type']).toContain('text/html');
      return;
    }
    expect(headers['content-type']).toContain('application/activity+json');
    const { id, publicKey } = { id: 'https://svc.test/', publicKey: 'https://svc.test/#main-key' };
    expect(body).toMatchObject({
      id,
      type: 'Application',
      name: expect.stringMatching(/./),
      preferredUsername: 'svc.test',
      inbox: 'https://svc.test/inbox',
      outbox: 'https://svc.test/internal/fetch/outbox',
      publicKey: { id: publicKey, owner: id, publicKeyPem: expect.stringContaining('PUBLIC KEY') },
      published: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    const outbox = await app.http.get('/internal/fetch/outbox').expect(200);
    expect(outbox.body).toMatchObject({ type: 'OrderedCollection', orderedItems: [] });
  });

  it('signs with the key in its document', async () => {
    const document = await app.http.get('/internal/fetch');
    const key = await app.get(SigningKeys).ofInstance();
    const { date, digest, signature } = await app.get(RequestSigner).sign(hop, key, 'cavage');
    const { publicKeyPem } = (document.body as { publicKey: { publicKeyPem: string } }).publicKey;
    const [, signed = ''] = /signature="([^"]+)"/.exec(signature ?? '') ?? [];
    const text = `(request-target): post /inbox?x=1\nhost: b.example\ndate: ${date}\ndigest: ${digest}`;
    expect(verify('sha256', Buffer.from(text), createPublicKey(publicKeyPem), Buffer.from(signed, 'base64'))).toBe(
      true,
    );
  });

  it('has another key than the accounts, whose keys have their own ids', async () => {
    const keys = app.get(SigningKeys);
    const ada = await app.world.person('ada');
    expect(await keys.ofAccount(ada.id)).toMatchObject({ keyId: 'https://svc.test/users/ada#main-key' });
    expect(await keys.ofAccount('0'.repeat(18))).toBeUndefined();
    expect((await keys.ofInstance()).privateKey.equals((await keys.ofAccount(ada.id))!.privateKey)).toBe(false);
  });
});
