import { createPrivateKey, createPublicKey, randomBytes, sign, verify } from 'node:crypto';
import { generateActorKey, openSecret, SealBrokenError, sealSecret } from './keys.js';

describe('generateActorKey', () => {
  it('makes a pair of 2048 bits that signs and verifies', async () => {
    const { publicPem, privatePem } = await generateActorKey();
    const message = Buffer.from('(request-target): post /inbox');
    expect(verify('sha256', message, publicPem, sign('sha256', message, privatePem))).toBe(true);
    expect(createPrivateKey(privatePem).asymmetricKeyDetails?.modulusLength).toBe(2048);
    expect(createPublicKey(publicPem).asymmetricKeyType).toBe('rsa');
    expect(publicPem).toMatch(/^-----BEGIN PUBLIC KEY-----\n/);
  });
});

describe('sealed secrets', () => {
  const key = randomBytes(32);

  it('open to the same text or bytes, even if empty', () => {
    const bytes = randomBytes(1000);
    expect(openSecret(key, sealSecret(key, bytes, 'a'), 'a')).toEqual(bytes);
    expect(openSecret(key, sealSecret(key, 'naïve', 'a'), 'a').toString()).toBe('naïve');
    expect(openSecret(key, sealSecret(key, '', 'a'), 'a')).toHaveLength(0);
  });

  it('hide their text and differ each time', () => {
    const sealed = sealSecret(key, 'JBSWY3DPEHPK3PXP', 'totp:1');
    expect(sealed.includes('JBSWY3DPEHPK3PXP')).toBe(false);
    expect(sealSecret(key, 'JBSWY3DPEHPK3PXP', 'totp:1')).not.toEqual(sealed);
  });

  it('open only with their key and in their context', () => {
    const sealed = sealSecret(key, 'secret', 'totp:1');
    expect(() => openSecret(randomBytes(32), sealed, 'totp:1')).toThrow(SealBrokenError);
    expect(() => openSecret(key, sealed, 'totp:2')).toThrow(SealBrokenError);
  });

  it('do not open after any changed byte or cut', () => {
    const sealed = sealSecret(key, 'secret', 'c');
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => openSecret(key, changed, 'c')).toThrow(SealBrokenError);
      expect(() => openSecret(key, sealed.subarray(0, at), 'c')).toThrow(SealBrokenError);
    }
  });
});
