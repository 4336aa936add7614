import { MfaService } from '../../../src/sign-in/index.js';
import { codeAt, enableMfa, wrongCode } from '../../support/fixtures/mfa.js';
import { ok } from '../../support/fixtures/statuses.js';
import { holding, waitersOf } from '../../support/locks.js';
import { type Client, PASSWORD } from '../../support/fixtures/world.js';
import { useApp } from '../../support/servers/app.js';

const MFA = '/api/svc/accounts/mfa';
const WRONG_PASSWORD = { error: 'Invalid password.' };
const WRONG_CODE = { error: 'invalid_token' };
const UNKNOWN_METHOD = { error: 'undefined mfa method' };

interface Setup {
  readonly key: string;
  readonly provisioning_uri: string;
}

const app = useApp({ people: ['alice', 'bob'] });
let alice: Client;

beforeEach(async () => {
  alice = await app.world.as('alice');
});

const mfa = () => app.get(MfaService);
const isOn = async (client = alice) => {
  const { settings } = await ok<{ settings: { enabled: boolean; totp: boolean } }>(client.get(MFA));
  expect(settings.totp).toBe(settings.enabled);
  return settings.enabled;
};
const setUp = () => ok<Setup>(alice.get(`${MFA}/setup/totp`));
const confirm = (values: object) => alice.post(`${MFA}/confirm/totp`, { password: PASSWORD, ...values });
const recoveryCodes = async () => (await ok<{ codes: string[] }>(alice.get(`${MFA}/backup_codes`))).codes;

describe('switching the second factor on', () => {
  it('requires a setup, the password and a code of the authenticator app', async () => {
    const { key, provisioning_uri } = await setUp();
    expect(provisioning_uri).toBe(`otpauth://totp/svc:alice?secret=${key}&issuer=svc&period=30&digits=6`);
    expect(await isOn()).toBe(false);
    await confirm({ code: codeAt(key) }).expect(200, {});
    expect(await isOn()).toBe(true);
    expect(await isOn(await app.world.as('bob'))).toBe(false);
  });

  it('fails with a wrong password or code, or without a setup', async () => {
    await confirm({ code: '123456' }).expect(422, WRONG_CODE);
    const { key } = await setUp();
    await confirm({ code: wrongCode(key) }).expect(422, WRONG_CODE);
    await confirm({ code: 'abc' }).expect(422, WRONG_CODE);
    await confirm({ code: codeAt(key), password: 'wrong' }).expect(422, WRONG_PASSWORD);
    expect(await isOn()).toBe(false);
    await confirm({ code: codeAt(key) }).expect(200, {});
  });

  it('accepts only the latest setup, and no other setup once it is on', async () => {
    const [first, second] = [await setUp(), await setUp()];
    expect(first.key).not.toBe(second.key);
    await confirm({ code: codeAt(first.key) }).expect(422, WRONG_CODE);
    const next = codeAt(second.key, 1);
    await confirm({ code: codeAt(second.key) }).expect(200, {});
    await alice.get(`${MFA}/setup/totp`).expect(422, { error: 'The second factor is on already' });
    await confirm({ code: next }).expect(422, WRONG_CODE);
    expect(await mfa().verify(app.world.id('alice'), 'totp', next)).toBe(true);
  });

  it('keeps the sign-ins, and is not visible in accounts', async () => {
    await enableMfa(app, 'alice');
    const own = await ok(alice.get('/api/v1/accounts/verify_credentials'));
    const bob = await app.world.as('bob');
    const seen = await ok(bob.get(`/api/v1/accounts/${app.world.id('alice')}`));
    expect(JSON.stringify([own, seen])).not.toMatch(/"[^"]*(mfa|otp|factor)[^"]*":/i); // an id may contain any letters
  });

  it('P9 stores the secret encrypted, and the recovery codes as hashes', async () => {
    const { key, recoveryCodes: codes } = await enableMfa(app, 'alice');
    const [stored] = await app.sql<{ row: string; totp_sealed: Buffer }>(
      'select f::text as row, totp_sealed from second_factors f',
    );
    expect(stored!.totp_sealed.includes(key)).toBe(false);
    const rows = await app.sql<{ code_hash: Buffer }>('select code_hash from recovery_codes');
    expect(rows.map(({ code_hash }) => code_hash.length)).toEqual([32, 32, 32, 32, 32]);
    for (const code of codes) expect(rows.some(({ code_hash }) => code_hash.includes(code))).toBe(false);
  });
});

describe('switching the second factor off', () => {
  it.each(['totp', 'mfa'])('requires the password, under the name %s', async (method) => {
    const { nextCode, recoveryCodes: codes } = await enableMfa(app, 'alice');
    await alice.delete(`${MFA}/${method}`, { password: 'wrong' }).expect(422, WRONG_PASSWORD);
    expect(await isOn()).toBe(true);
    await alice.delete(`${MFA}/${method}`, { password: PASSWORD }).expect(200, {});
    expect(await isOn()).toBe(false);
    expect(await mfa().verify(app.world.id('alice'), 'totp', nextCode)).toBe(false);
    expect(await mfa().verify(app.world.id('alice'), 'recovery', codes[0]!)).toBe(false);
    await alice.delete(`${MFA}/${method}?password=${encodeURIComponent(PASSWORD)}`).expect(200, {});
    expect(await app.sql('select from second_factors union all select from recovery_codes')).toEqual([]);
  });
});

it('O10 a change of the password during the request leaves the second factor as it is', async () => {
  const id = app.world.id('alice');
  const [before] = await app.sql<{ hash: string }>('select password_hash as hash from users where account_id = $1', [
    id,
  ]);
  const set = 'update users set password_hash = $1 where account_id = $2';
  /** The answer to a request that has checked the password when another one becomes the password. */
  const meanwhile = (send: () => PromiseLike<{ body: unknown }>) =>
    holding(app, async (holder) => {
      await holder.query(set, ['another', id]);
      const answer = Promise.resolve(send()).then(({ body }) => body);
      await waitersOf(holder, 1);
      await holder.query('commit');
      return answer.finally(() => app.sql(set, [before!.hash, id]));
    });
  const { key } = await setUp();
  expect(await meanwhile(() => confirm({ code: codeAt(key) }))).toEqual(WRONG_PASSWORD);
  expect(await isOn()).toBe(false);
  await enableMfa(app, 'alice');
  expect(await meanwhile(() => alice.delete(`${MFA}/totp`, { password: PASSWORD }))).toEqual(WRONG_PASSWORD);
  expect(await isOn()).toBe(true);
});

it('the API knows only one method', async () => {
  await alice.get(`${MFA}/setup/sms`).expect(400, UNKNOWN_METHOD);
  await alice.post(`${MFA}/confirm/sms`, { password: PASSWORD, code: '1' }).expect(400, UNKNOWN_METHOD);
  await alice.delete(`${MFA}/sms`, { password: PASSWORD }).expect(400, UNKNOWN_METHOD);
});

describe('a code', () => {
  it('O16 of the app is accepted once, and earlier codes are refused after it', async () => {
    const id = app.world.id('alice');
    const { usedCode, nextCode } = await enableMfa(app, 'alice');
    expect(await mfa().verify(id, 'totp', usedCode)).toBe(false);
    const verdicts = await Promise.all(Array.from({ length: 8 }, () => mfa().verify(id, 'totp', nextCode)));
    expect(verdicts.filter(Boolean)).toHaveLength(1);
    expect(await mfa().verify(id, 'totp', nextCode)).toBe(false);
    expect(await mfa().verify(id, 'totp', usedCode)).toBe(false);
    await app.sql('update second_factors set last_step = 0');
    expect(await mfa().verify(id, 'totp', usedCode)).toBe(true);
  });

  it('O16 of the app is valid for one account', async () => {
    const [own, other] = [await enableMfa(app, 'alice'), await enableMfa(app, 'bob')];
    expect(await mfa().verify(app.world.id('bob'), 'totp', own.nextCode)).toBe(false);
    expect(await mfa().verify(app.world.id('bob'), 'recovery', own.recoveryCodes[0]!)).toBe(false);
    expect(await mfa().verify(app.world.id('bob'), 'totp', other.nextCode)).toBe(true);
  });

  it('O17 of recovery is accepted once, in any spelling, even for simultaneous requests', async () => {
    const id = app.world.id('alice');
    const { recoveryCodes: codes } = await enableMfa(app, 'alice');
    expect(new Set(codes).size).toBe(5);
    for (const code of codes) expect(code).toMatch(/^[a-z0-9]{16}$/);
    const verdicts = await Promise.all(Array.from({ length: 8 }, () => mfa().verify(id, 'recovery', codes[0]!)));
    expect(verdicts.filter(Boolean)).toHaveLength(1);
    const spelled = `${codes[1]!.slice(0, 8)}-${codes[1]!.slice(8)} `.toUpperCase();
    expect(await mfa().verify(id, 'recovery', spelled)).toBe(true);
    expect(await mfa().verify(id, 'recovery', codes[1]!)).toBe(false);
    expect(await mfa().verify(id, 'recovery', '')).toBe(false);
  });

  it('O17 of recovery is invalid after new codes are created', async () => {
    const id = app.world.id('alice');
    const { recoveryCodes: codes } = await enableMfa(app, 'alice');
    const renewed = await recoveryCodes();
    expect(renewed.filter((code) => codes.includes(code))).toEqual([]);
    expect(await mfa().verify(id, 'recovery', codes[0]!)).toBe(false);
    expect(await mfa().verify(id, 'recovery', renewed[0]!)).toBe(true);
  });

  it('O17 of recovery is one of a single list, also when two lists are created at once', async () => {
    await recoveryCodes();
    const lists = await holding(app, async (holder) => {
      await holder.query('select from recovery_codes for update');
      const renewing = Promise.all([recoveryCodes(), recoveryCodes()]);
      await waitersOf(holder, 2);
      await holder.query('commit');
      return renewing;
    });
    expect(lists.map((codes) => codes.length)).toEqual([5, 5]);
    expect(await app.sql('select from recovery_codes')).toHaveLength(5);
  });

  it('O17 of recovery is invalid while the second factor is off', async () => {
    const [code] = await recoveryCodes();
    expect(await mfa().verify(app.world.id('alice'), 'recovery', code!)).toBe(false);
  });
});

it('secrets and codes must not be cached', async () => {
  for (const path of ['setup/totp', 'backup_codes']) {
    expect((await alice.get(`${MFA}/${path}`).expect(200)).headers['cache-control']).toBe('no-store');
  }
});
