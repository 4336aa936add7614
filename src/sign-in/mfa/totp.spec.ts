import { generateSync } from 'otplib';
import { newTotpSecret, provisioningUri, totpStep } from './totp.js';

/** The secret of RFC 6238, appendix B, in base32. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const NOW = 1_800_000_000; // a time step begins
const STEP = NOW / 30;
const codeAt = (epoch: number) => generateSync({ secret: SECRET, epoch });

describe('a code of an authenticator app', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [20_000_000_000, '353130'],
  ])('equals the code of RFC 6238 at %d', (epoch, code) => {
    expect(totpStep(SECRET, code, epoch)).toBe(Math.floor(epoch / 30));
  });

  it('P5 is valid for one more time step in both directions, and no longer', () => {
    for (const now of [NOW, NOW + 15, NOW + 29.9]) {
      const found = [-2, -1, 0, 1, 2].map((steps) => totpStep(SECRET, codeAt(NOW + steps * 30), now));
      expect(found).toEqual([undefined, STEP - 1, STEP, STEP + 1, undefined]);
    }
  });

  it('may contain blanks besides its six digits, and nothing else', () => {
    const code = codeAt(NOW);
    expect(totpStep(SECRET, ` ${code.slice(0, 3)} ${code.slice(3)}\n`, NOW)).toBe(STEP);
    for (const wrong of ['', '0', code.slice(1), `${code}0`, `-${code}`, '½½½½½½', '١٢٣٤٥٦', 'abcdef']) {
      expect(totpStep(SECRET, wrong, NOW)).toBeUndefined();
    }
  });
});

describe('the setup of an authenticator app', () => {
  it('O22 has a new secret of 160 bits', () => {
    const secrets = Array.from({ length: 20 }, newTotpSecret);
    expect(new Set(secrets).size).toBe(20);
    for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  });

  it('is an address for a QR code that names the server and the account', () => {
    expect(provisioningUri('ABC', 'A: tea & talk', 'alice')).toBe(
      'otpauth://totp/A%20tea%20%26%20talk:alice?secret=ABC&issuer=A%20tea%20%26%20talk&period=30&digits=6',
    );
  });
});
