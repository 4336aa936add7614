import { UsersService } from '../../../src/accounts/index.js';
import { MfaService } from '../../../src/sign-in/index.js';
import { enableMfa } from '../../support/fixtures/mfa.js';
import { useApp } from '../../support/servers/app.js';
import { type CtlResult, runCtl, urlOf } from '../../support/servers/ctl.js';

const failed = (err: string): CtlResult => ({ code: 1, out: '', err });

const app = useApp();

const ctl = (...args: string[]) => runCtl(app.variables, ...args);
/** A command with only the database's address. */
const lost = (...args: string[]) => runCtl({ DATABASE_URL: urlOf(app.address), DATA_DIR: app.env.dataDir }, ...args);
/** The output of a successful command without complaints. */
const outputOf = async (...args: string[]): Promise<string> => {
  const { out, ...rest } = await ctl(...args);
  expect(rest).toEqual({ code: 0, err: '' });
  return out;
};
const login = (name: string, password: string) => app.get(UsersService).verifyPassword(name, password);

describe('user', () => {
  it('create makes an account with roles, and shows a generated password once', async () => {
    const out = await outputOf('user', 'create', 'alice', '--email', 'alice@mail.test', '--admin', '--moderator');
    const password = /^The account alice was created\. Its password, shown only now: (\S{20})$/.exec(out)![1]!;
    expect(await login('alice@mail.test', password)).toMatchObject({ state: 'ok' });
    const shown = JSON.parse(await outputOf('user', 'show', 'alice', '--json')) as object;
    expect(shown).toMatchObject({
      nickname: 'alice',
      email: 'alice@mail.test',
      admin: true,
      moderator: true,
      state: 'ok',
    });
  });

  it('create does not print a given password, and refuses taken names and invalid values', async () => {
    const [created, shy] = [
      await outputOf('user', 'create', 'bob', '--password', 'a given one'),
      ctl('user', 'create', 'no good'),
    ];
    expect(created).toBe('The account bob was created.');
    expect(await login('bob', 'a given one')).toMatchObject({ state: 'ok' });
    const short = 'password should be at least 8 character(s)';
    expect(await ctl('user', 'create', 'amy', '--password', '1234567')).toEqual(failed(short));
    expect(await ctl('user', 'create', 'BOB')).toEqual(failed('nickname has already been taken'));
    expect(await shy).toEqual(failed('nickname must be 1 to 30 letters, digits, underscores or hyphens'));
    expect(await app.sql('select nickname from accounts')).toEqual([{ nickname: 'bob' }]);
  });

  it("create refuses another address than the server's, unless forced", async () => {
    await app.world.person('carol');
    const { code, out, err } = await lost('user', 'create', 'dave');
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(
      /^The newest account here is under https:\/\/svc\.test, and [^\n]* http:\/\/localhost:4000 [^\n]*$/,
    );
    expect((await lost('user', 'create', 'dave', '--new-address')).code).toBe(0);
    expect((await lost('user', 'create', 'erin')).code).toBe(0);
    expect(await app.sql('select ap_id from accounts order by nickname')).toEqual([
      { ap_id: 'https://svc.test/users/carol' },
      { ap_id: 'http://localhost:4000/users/dave' },
      { ap_id: 'http://localhost:4000/users/erin' },
    ]);
  });

  it('show prints an account as text', async () => {
    await app.world.person('carol');
    const out = await outputOf('user', 'show', 'Carol');
    expect(out).toMatch(/^nickname +carol$/m);
    expect(out).toMatch(/^moderator +no$/m);
    expect(out).toMatch(/^last_status_at +-$/m);
  });

  it('reset-password replaces the password and ends the sign-ins', async () => {
    await app.world.person('dora');
    const signedIn = await app.world.as('dora');
    expect(await outputOf('user', 'reset-password', 'dora', '--password', 'another one')).toBe(
      'The account dora has a new password.',
    );
    expect(await login('dora', 'another one')).toMatchObject({ state: 'ok' });
    expect(await login('dora', 'correct horse battery')).toBeUndefined();
    await signedIn.get('/api/v1/accounts/verify_credentials').expect(401);
  });

  it('disable-mfa removes the second factor', async () => {
    await app.world.person('dora');
    await enableMfa(app, 'dora');
    expect(await outputOf('user', 'disable-mfa', 'Dora')).toBe('The account Dora has no second factor any more.');
    expect(await app.get(MfaService).isEnabled(app.world.id('dora'))).toBe(false);
    expect(await ctl('user', 'disable-mfa', 'dora')).toEqual(failed('dora has no second factor.'));
  });

  it('set changes roles, deactivates and activates', async () => {
    await app.world.person('eve', { admin: true });
    const only = 'The only administrator of the server cannot lose the role. Make somebody else one first.';
    expect(await ctl('user', 'set', 'eve', '--no-admin')).toEqual(failed(only));
    await app.world.person('root', { admin: true });
    expect(await outputOf('user', 'set', 'eve', '--no-admin', '--moderator', '--no-active')).toBe(
      'eve: moderator, deactivated',
    );
    await (await app.world.as('eve')).get('/api/v1/accounts/verify_credentials').expect(401);
    expect(await outputOf('user', 'set', 'eve', '--active')).toBe('eve: moderator, ok');
    await (await app.world.as('eve')).get('/api/v1/accounts/verify_credentials').expect(200);
    const log = await app.sql<{ message: string }>('select message from moderation_log order by id');
    expect(log.map(({ message }) => message)).toEqual([
      '@operator took the role admin from users: @eve',
      '@operator gave the role moderator to users: @eve',
      '@operator deactivated users: @eve',
      '@operator activated users: @eve',
    ]);
  });

  it('reports an unknown name', async () => {
    expect(await ctl('user', 'show', 'nobody')).toEqual(failed('Nobody here is called nobody.'));
  });

  it('list shows matching accounts, the newest first', async () => {
    await app.world.persons('alice', 'bob', 'carol');
    await app.world.person('dora', { admin: true });
    await app.sql(
      `update users set is_approved = false, registration_reason = 'I knit.' || chr(10) || chr(27) || '[2J'
      where account_id = any($1)`,
      [[app.world.id('alice'), app.world.id('bob')]],
    );
    await app.sql(`update users set is_confirmed = false where account_id = any($1)`, [
      [app.world.id('bob'), app.world.id('carol')],
    ]);
    const names = async (...args: string[]) =>
      (JSON.parse(await outputOf('user', 'list', '--json', ...args)) as { nickname: string }[]).map(
        (user) => user.nickname,
      );
    expect(await names()).toEqual(['dora', 'carol', 'bob', 'alice']);
    expect(await names('--limit', '2')).toEqual(['dora', 'carol']);
    expect(await names('--pending')).toEqual(['bob', 'alice']);
    expect(await names('--pending', '--unconfirmed')).toEqual(['bob']);
    expect(await names('--staff')).toEqual(['dora']);
    expect(await names('--query', 'AROL')).toEqual(['carol']);
    expect(await outputOf('user', 'list', '--pending', '--query', 'alice')).toMatch(
      /^NICKNAME .*\nalice +\d{4}-\d\d-\d\d +pending +- +\S+ +I knit\. \[2J$/,
    );
    expect(await outputOf('user', 'list', '--deactivated')).toBe('No such accounts.');
    expect(await ctl('user', 'list', '--limit', '0')).toMatchObject({ code: 2 });
  });

  it('approve and confirm admit new accounts', async () => {
    await app.world.person('alice');
    await app.sql('update users set is_approved = false, is_confirmed = false');
    const state = async () => (await app.get(UsersService).facts(app.world.id('alice'))).state;
    expect(await outputOf('user', 'approve', 'alice')).toBe(
      'alice is approved. The e-mail address is still to be confirmed ("user confirm").',
    );
    expect(await state()).toBe('unconfirmed');
    expect(await outputOf('user', 'confirm', 'alice')).toBe('The e-mail address of alice is confirmed.');
    expect(await state()).toBe('ok');
    await (await app.world.as('alice')).get('/api/v1/accounts/verify_credentials').expect(200);
    expect(await outputOf('user', 'approve', 'alice')).toBe('alice was approved already.');
    expect(await outputOf('user', 'confirm', 'alice')).toBe('The e-mail address of alice was confirmed already.');
  });

  it('reject deletes accounts that wait for approval, and no others', async () => {
    await app.world.persons('alice', 'bob');
    await app.sql('update users set is_approved = false where account_id = $1', [app.world.id('alice')]);
    expect(await outputOf('user', 'reject', 'alice')).toBe('alice was rejected, and the account is deleted.');
    expect(await ctl('user', 'reject', 'bob')).toEqual(
      failed('bob is approved already; "user set bob --no-active" deactivates it.'),
    );
    expect(await app.sql('select nickname from accounts')).toEqual([{ nickname: 'bob' }]);
    expect(await ctl('user', 'reject', 'alice')).toEqual(failed('Nobody here is called alice.'));
  });

  it('suggest adds and removes a suggestion', async () => {
    await app.world.person('alice');
    const suggested = () => app.sql('select account_id from suggested_accounts');
    expect(await outputOf('user', 'suggest', 'alice')).toBe('alice is suggested.');
    expect(await suggested()).toEqual([{ account_id: app.world.id('alice') }]);
    expect(await outputOf('user', 'unsuggest', 'alice')).toBe('alice is not suggested.');
    expect(await suggested()).toEqual([]);
  });
});
