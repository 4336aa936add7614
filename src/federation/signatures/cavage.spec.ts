import { generateKeyPairSync, verify } from 'node:crypto';
import { readCavage } from './cavage.js';
import { RequestSigner } from './request-signer.js';
import type { SignedRequest } from './signed-request.js';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const key = { keyId: 'https://a.example/users/mo#main-key', privateKey };
const body = Buffer.from('{}');
const URI = 'https://b.example/inbox?x=1';

/** A signed request as it arrives. */
async function signed(method: 'GET' | 'POST', uri = URI): Promise<SignedRequest> {
  const [url, rawBody] = [new URL(uri), method === 'POST' ? body : undefined];
  const headers = await new RequestSigner().sign({ method, url, headers: {}, body: rawBody }, key, 'cavage');
  return { method, url: url.pathname + url.search, headers: { ...headers, host: 'proxied' }, rawBody };
}

const context = (nowMs = Date.now()) => ({
  baseUrl: 'https://b.example',
  clock: { nowMs, maxAgeMs: 43_200_000, maxAheadMs: 3_600_000 },
});

/** Whether one of the possible signed texts fits the signature. */
function isSigned(request: SignedRequest): boolean {
  const { texts, signature } = readCavage(request, context());
  return texts.some((text) => verify('sha256', Buffer.from(text), publicKey, signature));
}

/** The request with another header `Signature`. */
function changed(request: SignedRequest, change: (header: string) => string): SignedRequest {
  return { ...request, headers: { ...request.headers, signature: change(String(request.headers['signature'])) } };
}

describe('Signatures by draft-cavage', () => {
  it.each(['GET', 'POST'] as const)('of our own signer are valid: %s', async (method) => {
    expect(isSigned(await signed(method))).toBe(true);
  });

  it('F21 are valid when the query of a GET was omitted', async () => {
    const request = await signed('GET', 'https://b.example/inbox');
    expect(isSigned({ ...request, url: '/inbox?page=1' })).toBe(true);
    const posted = await signed('POST', 'https://b.example/inbox');
    expect(isSigned({ ...posted, url: '/inbox?page=1' })).toBe(false);
  });

  it('F1 are invalid for another host, path or body', async () => {
    expect(isSigned(await signed('POST', 'https://c.example/inbox?x=1'))).toBe(false);
    expect(isSigned({ ...(await signed('POST')), url: '/users/ada/inbox' })).toBe(false);
    const request = { ...(await signed('POST')), rawBody: Buffer.from('{ }') };
    expect(() => readCavage(request, context())).toThrow('does not fit the body');
  });

  it.each(['(request-target)', 'host', 'date', 'digest'])('F1 must cover %s', async (name) => {
    const request = changed(await signed('POST'), (header) => header.replace(name, 'user-agent'));
    expect(() => readCavage(request, context())).toThrow(`has to cover ${name}`);
  });

  it.each([
    ['rsa-sha256', 'hs2019', true],
    ['algorithm="rsa-sha256",', '', true],
    ['rsa-sha256', 'hmac-sha256', false],
    ['rsa-sha256', 'none', false],
  ])('F1 may use only known algorithms: %s becomes %s', async (from, to, isTaken) => {
    const request = changed(await signed('POST'), (header) => header.replace(from, to));
    if (isTaken) expect(isSigned(request)).toBe(true);
    else expect(() => readCavage(request, context())).toThrow('rsa-sha256');
  });

  it('F2 fail with an error that names the clock when it is far off', async () => {
    const request = await signed('POST');
    const hour = 3_600_000;
    expect(() => readCavage(request, context(Date.now() + 11 * hour))).not.toThrow();
    expect(() => readCavage(request, context(Date.now() + 13 * hour))).toThrow('780 minutes behind the clock');
    expect(() => readCavage(request, context(Date.now() - 2 * hour))).toThrow('120 minutes ahead of the clock');
  });

  it.each(['2014-01-05', '0', 'Sun, 99 Foo 2014 21:31:40 GMT', ''])('F2 fail with the date %j', async (date) => {
    const request = await signed('POST');
    expect(() => readCavage({ ...request, headers: { ...request.headers, date } }, context())).toThrow('clock');
  });

  it('may have (created) instead of the date, and an expiry', async () => {
    const request = await signed('POST');
    const seconds = Math.floor(Date.now() / 1000);
    const created = (parameters: string) =>
      changed(request, (header) => header.replace('host date', 'host (created)') + parameters);
    expect(readCavage(created(`,created=${seconds}`), context()).texts[0]).toContain(`(created): ${seconds}`);
    expect(() => readCavage(created(''), context())).toThrow('created is no time');
    expect(() => readCavage(created(`,created=${seconds},expires=${seconds - 9}`), context())).toThrow('expired');
  });

  it('are read from the first of two headers', async () => {
    const request = changed(
      await signed('POST'),
      (header) => `${header}, keyId="https://c.example/k",signature="AAAA"`,
    );
    expect(readCavage(request, context()).keyId).toBe(key.keyId);
  });

  it.each(['', 'Basic x', 'keyId="k"', 'keyId="k",headers="date date",signature="x"', `keyId="${'"'.repeat(5000)}`])(
    'fail when the header is %j',
    (signature) => {
      const request = { method: 'GET', url: '/', headers: { signature }, rawBody: undefined };
      expect(() => readCavage(request, context())).toThrow();
    },
  );
});
