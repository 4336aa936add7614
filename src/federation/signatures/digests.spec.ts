import { requireContentDigest, requireDigest } from './digests.js';

const hello = Buffer.from('{"hello": "world"}\n');
const post = (headers: Record<string, string>, rawBody = hello) => ({
  method: 'POST',
  url: '/inbox',
  headers,
  rawBody,
});

/** RFC 9530 appendix D and section 2. */
const SHA256 = 'RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=';
const SHA512 = 'YMAam51Jz/jOATT6/zvHrLVgOYTGFy1d6GJiOHTohq4yP+pgk4vf2aCsyRZOtw8MjkM7iw7yZ/WkppmM44T3qg==';

describe('Digests of bodies', () => {
  it.each([
    [`sha-256=:${SHA256}:`],
    [`sha-512=:${SHA512}:`],
    [`sha-256=:${SHA256}:, sha-512=:${SHA512}:`],
    [`md5=:AAAA:, sha-256=:${SHA256}:`],
  ])('are valid by RFC 9530: %s', (header) => {
    expect(() => requireContentDigest(post({ 'content-digest': header }))).not.toThrow();
  });

  it.each([
    ['nothing', {}],
    ['the other form', { 'content-digest': `SHA-256=${SHA256}` }],
    ['a weak algorithm alone', { 'content-digest': 'md5=:Q2hlY2sgSW50ZWdyaXR5IQ==:' }],
    ['one right and one wrong', { 'content-digest': `sha-256=:${SHA256}:, sha-256=:AAAA:` }],
    ['a name of what every object has', { 'content-digest': 'constructor=:AAAA:' }],
    ['a name of what every object is', { 'content-digest': '__proto__=:AAAA:' }],
    ['more digests than anybody sends', { 'content-digest': Array(300).fill(`sha-256=:${SHA256}:`).join() }],
    ['one digit less', { 'content-digest': `sha-256=:${SHA256.slice(1)}:` }],
  ])('F1 are invalid by RFC 9530: %s', (_, headers: Record<string, string>) => {
    expect(() => requireContentDigest(post(headers))).toThrow('content-digest');
  });

  it.each([[`SHA-256=${SHA256}`], [`sha-256=${SHA256}`], [`sha=AAAA,SHA-256=${SHA256}`]])('are valid: %s', (digest) => {
    expect(() => requireDigest(post({ digest }))).not.toThrow();
  });

  it.each(['constructor', '__proto__', 'toString'])('F1 are invalid by the name %s in the older header', (name) => {
    expect(() => requireDigest(post({ digest: `${name}=AAAA` }))).toThrow('digest has no SHA-256');
  });

  it('F1 are invalid for other bytes, even of the same JSON', () => {
    const other = Buffer.from('{"hello":"world"}');
    expect(() => requireDigest(post({ digest: `SHA-256=${SHA256}` }, other))).toThrow('digest');
  });
});
