import { createHash } from 'node:crypto';
import { hashToken, newToken, sameSecret } from './tokens.js';

describe('tokens', () => {
  it('are 32 random bytes in base64url', () => {
    const tokens = Array.from({ length: 100 }, newToken);
    expect(new Set(tokens).size).toBe(100);
    for (const token of tokens) {
      expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
      expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    }
  });

  it('are stored as SHA-256', () => {
    const token = newToken();
    expect(hashToken(token)).toEqual(createHash('sha256').update(token).digest());
    expect(hashToken(token)).not.toEqual(hashToken(newToken()));
  });

  it.each(['abc=', 'abc==', 'abc%3D', 'abc%3d%3d', '%61bc'])('finds the token behind the spelling %s', (spelling) => {
    expect(hashToken(spelling)).toEqual(hashToken('abc'));
  });

  it.each(['%', 'abc%', '%zz', '%ff', '===', ''])(
    'hashes the invalid spelling %j, but not like the token',
    (nonsense) => {
      expect(hashToken(nonsense)).toHaveLength(32);
      expect(hashToken(nonsense)).not.toEqual(hashToken('abc'));
    },
  );
});

describe('sameSecret', () => {
  it('compares whole texts of any length', () => {
    expect(sameSecret('secret', 'secret')).toBe(true);
    expect(sameSecret('secret', 'Secret')).toBe(false);
    expect(sameSecret('secret', 'secrets')).toBe(false);
    expect(sameSecret('', 'secret')).toBe(false);
  });
});
