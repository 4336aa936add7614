import { jest } from '@jest/globals';
import { hashSync } from '@node-rs/argon2';
import { hashPassword, MAX_PASSWORD_LENGTH, needsRehash, verifyPassword } from './passwords.js';

describe('passwords', () => {
  it('accepts the password and refuses another', async () => {
    const stored = await hashPassword('correct horse');
    expect(await verifyPassword('correct horse', stored)).toBe(true);
    expect(await verifyPassword('correct hors', stored)).toBe(false);
    expect(await verifyPassword('', stored)).toBe(false);
  });

  it('makes argon2id hashes that differ for the same password', async () => {
    const [one, two] = await Promise.all([hashPassword('same'), hashPassword('same')]);
    expect(one).not.toBe(two);
    expect(one).toMatch(/^\$argon2id\$/);
  });

  it('returns false for an unknown user with any password', async () => {
    for (const password of ['', 'anything', 'x'.repeat(MAX_PASSWORD_LENGTH)]) {
      expect(await verifyPassword(password, undefined)).toBe(false);
    }
  });

  it('O12 does the same work for an unknown user', async () => {
    const argon2 = await import('@node-rs/argon2');
    const verify = jest.fn(argon2.verify);
    jest.unstable_mockModule('@node-rs/argon2', () => ({ ...argon2, verify }));
    jest.resetModules();
    const watched = await import('./passwords.js');
    const costs = (hash: string | Uint8Array | undefined) => String(hash).split('$').slice(1, 4);
    await watched.verifyPassword('anything', await hashPassword('pw'));
    await watched.verifyPassword('anything', undefined);
    const [known, unknown] = verify.mock.calls.map(([hash]) => costs(hash));
    expect(known).toHaveLength(3);
    expect(unknown).toEqual(known);
  });

  it('accepts a password of the maximum length and hashes no longer one', async () => {
    const longest = 'ü'.repeat(MAX_PASSWORD_LENGTH);
    const stored = await hashPassword(longest);
    expect(await verifyPassword(longest, stored)).toBe(true);
    expect(await verifyPassword(`${longest.slice(0, -1)}u`, stored)).toBe(false);
    expect(await verifyPassword(`${longest}ü`, stored)).toBe(false);
    await expect(hashPassword(`${longest}ü`)).rejects.toThrow(RangeError);
  });

  it('requests a new hash when the costs have changed', async () => {
    expect(needsRehash(await hashPassword('pw'))).toBe(false);
    expect(needsRehash(hashSync('pw', { memoryCost: 8192, timeCost: 1 }))).toBe(true);
    expect(await verifyPassword('pw', hashSync('pw', { memoryCost: 8192, timeCost: 1 }))).toBe(true);
  });
});
