import { constants, createPublicKey, verify } from 'node:crypto';
import { inputOf, readRfc9421, signatureBase } from './rfc9421.js';
import type { SignedRequest } from './signed-request.js';

/** RFC 9421 appendix B.1.1, `test-key-rsa`. */
const RSA = `-----BEGIN RSA PUBLIC KEY-----
MIIBCgKCAQEAhAKYdtoeoy8zcAcR874L8cnZxKzAGwd7v36APp7Pv6Q2jdsPBRrw
WEBnez6d0UDKDwGbc6nxfEXAy5mbhgajzrw3MOEt8uA5txSKobBpKDeBLOsdJKFq
MGmXCQvEG7YemcxDTRPxAleIAgYYRjTSd/QBwVW9OwNFhekro3RtlinV0a75jfZg
kne/YiktSvLG34lw2zqXBDTC5NHROUqGTlML4PlNZS5Ri2U4aCNx2rUPRcKIlE0P
uKxI4T+HIaFpv8+rdV6eUgOrB2xeI1dSFFn/nnv5OoZJEIB+VmuKn3DCUcCZSFlQ
PSXSfBDiUGhwOw76WuSSsf1D4b/vLoJ10wIDAQAB
-----END RSA PUBLIC KEY-----`;

/** RFC 9421 appendix B.1.2, `test-key-rsa-pss`. */
const RSA_PSS = `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAr4tmm3r20Wd/PbqvP1s2
+QEtvpuRaV8Yq40gjUR8y2Rjxa6dpG2GXHbPfvMs8ct+Lh1GH45x28Rw3Ry53mm+
oAXjyQ86OnDkZ5N8lYbggD4O3w6M6pAvLkhk95AndTrifbIFPNU8PPMO7OyrFAHq
gDsznjPFmTOtCEcN2Z1FpWgchwuYLPL+Wokqltd11nqqzi+bJ9cvSKADYdUAAN5W
Utzdpiy6LbTgSxP7ociU4Tn0g5I6aDZJ7A8Lzo0KSyZYoA485mqcO0GVAdVw9lq4
aOT9v6d+nb4bnNkQVklLQ3fVAvJm+xdDOp9LCNCN48V2pnDOkFV6+U9nV5oyc6XI
2wIDAQAB
-----END PUBLIC KEY-----`;

const DIGEST = 'sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:';

/** RFC 9421 section 4.3: the request as the proxy passes it on, with its signature. */
const PROXIED: SignedRequest = {
  method: 'POST',
  url: '/foo?param=Value&Pet=dog',
  headers: {
    date: 'Tue, 20 Apr 2021 02:07:56 GMT',
    'content-type': 'application/json',
    'content-length': '18',
    'content-digest': DIGEST,
    forwarded: 'for=192.0.2.123;host=example.com;proto=https',
    'signature-input':
      'proxy_sig=("@method" "@authority" "@path" "content-digest" "content-type" "content-length" "forwarded");created=1618884480;keyid="test-key-rsa";alg="rsa-v1_5-sha256";expires=1618884540',
    signature:
      'proxy_sig=:S6ZzPXSdAMOPjN/6KXfXWNO/f7V6cHm7BXYUh3YD/fRad4BCaRZxP+JH+8XY1I6+8Cy+CM5g92iHgxtRPz+MjniOaYmdkDcnL9cCpXJleXsOckpURl49GwiyUpZ10KHgOEe11sx3G2gxI8S0jnxQB+Pu68U9vVcasqOWAEObtNKKZd8tSFu7LB5YAv0RAGhB8tmpv7sFnIm9y+7X5kXQfi8NMaZaA8i2ZHwpBdg7a6CMfwnnrtflzvZdXAsD3LH2TwevU+/PBPv0B6NMNk93wUs/vfJvye+YuI87HU38lZHowtznbLVdp770I6VHR6WfgS9ddzirrswsE1w5o0LV/g==:',
  },
  rawBody: Buffer.from('{"hello": "world"}'),
};

/** RFC 9421 appendix B.2: `test-request`. */
const REQUEST: SignedRequest = {
  method: 'POST',
  url: '/foo?param=Value&Pet=dog',
  headers: {
    host: 'example.com',
    date: 'Tue, 20 Apr 2021 02:07:55 GMT',
    'content-type': 'application/json',
    'content-digest': DIGEST,
    'content-length': '18',
  },
  rawBody: Buffer.from('{"hello": "world"}'),
};

const clock = { nowMs: 1_618_884_500_000, maxAgeMs: 3_600_000, maxAheadMs: 60_000 };
const origin = { baseUrl: 'https://origin.host.internal.example', clock };

describe('Signatures by RFC 9421', () => {
  it('are valid for the example of section 4.3 with test-key-rsa', () => {
    const request = { ...PROXIED, url: '/foo' }; // its signature covers the path, not the query
    const { keyId, texts, signature } = readRfc9421(request, origin);
    expect(keyId).toBe('test-key-rsa');
    expect(verify('sha256', Buffer.from(texts[0] ?? ''), createPublicKey(RSA), signature)).toBe(true);
  });

  it('must cover the query if there is one', () => {
    expect(() => readRfc9421(PROXIED, origin)).toThrow('The signature has to cover @target-uri');
  });

  it.each([
    [1_618_884_541_000, 'expired'],
    [1_618_890_000_000, 'clock'],
    [1_618_884_000_000, 'ahead of the clock'],
  ])('F2 fail at %d: %s', (nowMs, reason) => {
    const late = { ...origin, clock: { ...clock, nowMs } };
    expect(() => readRfc9421({ ...PROXIED, url: '/foo' }, late)).toThrow(reason);
  });

  it('F1 fail with another body', () => {
    const request = { ...PROXIED, url: '/foo', rawBody: Buffer.from('{"hello": "World"}') };
    expect(() => readRfc9421(request, origin)).toThrow('does not fit the body');
  });

  it.each([
    [
      'B.2.1',
      '();created=1618884473;keyid="test-key-rsa-pss";nonce="b3k2pp5k7z-50gnwp.yemd"',
      'd2pmTvmbncD3xQm8E9ZV2828BjQWGgiwAaw5bAkgibUopemLJcWDy/lkbbHAve4cRAtx31Iq786U7it++wgGxbtRxf8Udx7zFZsckzXaJMkA7ChG52eSkFxykJeNqsrWH5S+oxNFlD4dzVuwe8DhTSja8xxbR/Z2cOGdCbzR72rgFWhzx2VjBqJzsPLMIQKhO4DGezXehhWwE56YCE+O6c0mKZsfxVrogUvA4HELjVKWmAvtl6UnCh8jYzuVG5WSb/QEVPnP5TmcAnLH1g+s++v6d4s8m0gCw1fV5/SITLq9mhho8K3+7EPYTU8IU1bLhdxO5Nyt8C8ssinQ98Xw9Q==',
    ],
    [
      'B.2.3',
      '("date" "@method" "@path" "@query" "@authority" "content-type" "content-digest" "content-length");created=1618884473;keyid="test-key-rsa-pss"',
      'bbN8oArOxYoyylQQUU6QYwrTuaxLwjAC9fbY2F6SVWvh0yBiMIRGOnMYwZ/5MR6fb0Kh1rIRASVxFkeGt683+qRpRRU5p2voTp768ZrCUb38K0fUxN0O0iC59DzYx8DFll5GmydPxSmme9v6ULbMFkl+V5B1TP/yPViV7KsLNmvKiLJH1pFkh/aYA2HXXZzNBXmIkoQoLd7YfW91kE9o/CCoC1xMy7JA1ipwvKvfrs65ldmlu9bpG6A9BmzhuzF8Eim5f8ui9eH8LZH896+QIF61ka39VBrohr9iyMUJpvRX2Zbhl5ZJzSRxpJyoEZAFL2FUo5fTIztsDZKEgM4cUA==',
    ],
  ])('cover the text of appendix %s', (_, raw, signature) => {
    const base = signatureBase(inputOf(`sig=${raw}`), REQUEST, { baseUrl: 'https://example.com' });
    const padding = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 64 };
    const key = { key: createPublicKey(RSA_PSS), ...padding };
    expect(verify('sha512', Buffer.from(base), key, Buffer.from(signature, 'base64'))).toBe(true);
  });

  it.each([
    ['', 'no signature'],
    ['sig1=("@method";req);created=1', 'a component with parameters'],
    ['sig1="@method";created=1', 'no list'],
    ['sig1=("@method" "@method" "@target-uri");created=1618884480;keyid="k"', 'a component twice'],
    [`sig1=("@method"${';'.repeat(10_000)}`, 'a long chain of separators'],
  ])('fail when the input is %s: %s', (input) => {
    const request = { ...PROXIED, headers: { ...PROXIED.headers, 'signature-input': input } };
    expect(() => readRfc9421(request, origin)).toThrow('not well-formed');
  });

  it('fail with another algorithm than RSA', () => {
    const input = `sig1=("@method" "@target-uri" "content-digest");created=1618884480;keyid="k";alg="hmac-sha256"`;
    const request = { ...PROXIED, headers: { ...PROXIED.headers, 'signature-input': input } };
    expect(() => readRfc9421(request, origin)).toThrow('rsa-v1_5-sha256');
  });
});
