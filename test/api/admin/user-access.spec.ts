import { UsersService } from '../../../src/accounts/index.js';
import { ModerationLogService } from '../../../src/admin/index.js';
import { SettingsService } from '../../../src/config/index.js';
import { MfaService } from '../../../src/sign-in/index.js';
import { useApp } from '../../support/servers/app.js';
import { holding, waitersOf } from '../../support/locks.js';
import { useMails } from '../../support/servers/mails.js';
import { BrowserVisit } from '../../support/fixtures/browser-visit.js';
import { enableMfa } from '../../support/fixtures/mfa.js';
import { picture } from '../../support/fixtures/media-files.js';
import { OauthClient } from '../../support/fixtures/oauth.js';
import { ok } from '../../support/fixtures/statuses.js';
import { filesOf, pathOf } from '../../support/fixtures/uploads.js';
import { type Client, PASSWORD } from '../../support/fixtures/world.js';

const ADMIN = '/api/v1/svc/admin';
const USERS = `${ADMIN}/users`;
const NOT_FOUND = { error: 'Not found' };

const mails = useMails();
const app = useApp({ env: () => ({ SMTP_URL: mails.url }) });
let root: Client;

beforeEach(async () => {
  await app.world.person('root', { admin: true });
  await app.world.persons('alice', 'bob');
  await app.world.remote('zoe', 'far.test');
  root = await app.world.as('root', 'admin');
});

const id = (nickname: string) => app.world.id(nickname);
const verify = async (client: Client) => (await client.get('/api/v1/accounts/verify_credentials')).status;
const complete = (token: string, password: string) =>
  app.http.post('/api/v1/svc/password_reset').send({ data: { token, password, password_confirmation: password } });
/** A password that an administrator sets. */
const GIVEN = 'for the first day';
const login = (password: string) => app.get(UsersService).verifyPassword('alice', password);

describe('a link for a new password', () => {
  it('sets a password once, which ends the sign-ins, and the log contains no secret', async () => {
    const alice = await app.world.as('alice');
    const { token, link } = await ok<{ token: string; link: string }>(root.get(`${USERS}/alice/password_reset`));
    expect(link).toBe(`https://svc.test/api/v1/svc/password_reset/${token}`);
    await app.http.get(new URL(link).pathname).expect(200);
    await complete(token, 'another one').expect(200);
    await complete(token, 'a third one').expect(404);
    expect(await login('another one')).toMatchObject({ state: 'ok' });
    expect(await verify(alice)).toBe(401);
    const [entry] = await app.sql('select message, data from moderation_log');
    expect(entry).toMatchObject({ message: '@root made a link for a new password of users: @alice' });
    expect(JSON.stringify(entry)).not.toContain(token);
  });

  it('exists only for users of this server', async () => {
    for (const name of ['nobody', 'zoe@far.test'])
      for (const path of ['password_reset', 'credentials'])
        await root.get(`${USERS}/${name}/${path}`).expect(404, NOT_FOUND);
  });
});

describe('a forced new password', () => {
  it('disables tokens and grants until there is a new password', async () => {
    const alice = await app.world.as('alice');
    const oauth = new OauthClient(app);
    const client = await oauth.register();
    const { refresh_token } = await oauth.signIn(client, 'alice');
    await root.patch(`${USERS}/force_password_reset`, { nicknames: ['alice'] }).expect(204, '');
    expect(await verify(alice)).toBe(401);
    const grants = [
      { grant_type: 'password', username: 'alice', password: PASSWORD },
      { grant_type: 'refresh_token', refresh_token },
    ];
    for (const grant of grants) {
      const { status, body } = await oauth.token(client, grant);
      expect({ grant, status, body: body as unknown }).toMatchObject({
        status: 403,
        body: { identifier: 'password_reset_required' },
      });
    }
    const { token } = await ok<{ token: string }>(root.get(`${USERS}/alice/password_reset`));
    await complete(token, 'a new one').expect(200);
    expect(await login('a new one')).toMatchObject({ state: 'ok' });
    expect(await verify(alice)).toBe(401); // the earlier sign-ins stay ended
  });
});

describe('a password that an administrator chose', () => {
  const give = (name: string) => ok(root.patch(`${USERS}/${name}/credentials`, { password: GIVEN }));
  const signIn = (password: string) =>
    new BrowserVisit(app).post('/auth/sign_in', { name: 'alice', password }).then(({ status, headers }) => ({
      status,
      location: headers['location'],
    }));

  it('leads once to the form for a new password, at the next sign-in', async () => {
    await give('alice');
    expect(await signIn('another')).toEqual({ status: 401 });
    const { location } = await signIn(GIVEN);
    await complete(location!.split('/').at(-1)!, 'my own one').expect(200);
    expect(await signIn('my own one')).toEqual({ status: 303, location: '/' });
  });

  it('gives apps no token before it is replaced', async () => {
    await give('alice');
    const oauth = new OauthClient(app);
    const answer = await oauth.token(await oauth.register(), {
      grant_type: 'password',
      username: 'alice',
      password: GIVEN,
    });
    expect(answer).toMatchObject({ status: 403, body: { identifier: 'password_reset_required' } });
  });

  it('stays valid when administrators choose it for themselves', async () => {
    await give('root');
    expect(await app.get(UsersService).verifyPassword('root', GIVEN)).toMatchObject({ state: 'ok' });
  });

  it('is refused at sign-in after a forced reset, since a stranger may know it', async () => {
    await give('alice');
    await root.patch(`${USERS}/force_password_reset`, { nicknames: ['alice'] }).expect(204, '');
    expect(await signIn(GIVEN)).toEqual({ status: 403 });
  });
});

describe('a second factor', () => {
  it('can be removed by an administrator', async () => {
    await enableMfa(app, 'alice');
    expect(await ok(root.put(`${USERS}/disable_mfa`, { nickname: 'alice' }))).toBe('alice');
    expect(await app.get(MfaService).isEnabled(id('alice'))).toBe(false);
    await root.put(`${USERS}/disable_mfa`, { nickname: 'nobody' }).expect(404, NOT_FOUND);
    await root.put(`${USERS}/disable_mfa`, {}).expect(400);
  });
});

describe('credentials', () => {
  const path = `${USERS}/alice/credentials`;
  const FLAGS = [
    'locked',
    'no_rich_text',
    'hide_favorites',
    'hide_followers',
    'hide_followers_count',
    'hide_follows',
    'hide_follows_count',
    'skip_thread_containment',
  ];

  it('can be read and changed', async () => {
    const before = await ok<object>(root.get(path));
    const flags = Object.fromEntries(FLAGS.map((name) => [name, true]));
    const words = {
      name: 'Alice',
      bio: 'tea & milk',
      email: 'new@mail.test',
      actor_type: 'Service',
      default_scope: 'private',
    };
    const others = { allow_following_move: false, show_role: false, is_discoverable: true };
    const fields = [{ name: 'home', value: 'https://alice.test' }];
    const pasted = { ...words, email: ` ${words.email} ` };
    expect(await ok(root.patch(path, { ...flags, ...pasted, ...others, fields }))).toEqual({ status: 'success' });
    const after = await ok<object>(root.get(path));
    expect(after).toEqual({
      ...before,
      ...flags,
      ...words,
      ...others,
      discoverable: true,
      fields: [{ name: 'home', value: expect.stringContaining('<a href="https://alice.test"') }],
      raw_fields: [{ id: '0', ...fields[0] }],
    });
    const [entry] = await app.sql<{ message: string }>('select message from moderation_log');
    expect(entry!.message).toMatch(/^@root changed locked, .*, name, bio, email, .* of users: @alice$/);
  });

  describe('with another address', () => {
    const ACTIVATION = 'instance.account_activation_required';
    const linkTo = async (address: string) => {
      await app.drain();
      return pathOf(/https:\S+confirm_email\S+/.exec(mails.to(address).at(-1)!.text)![0]);
    };
    const follow = (link: string) => app.http.get(link).set('accept', 'application/json');
    const emailOf = async (name: string) => (await app.get(UsersService).facts(id(name))).email;

    beforeEach(async () => {
      await app.get(SettingsService).update([
        { path: ACTIVATION, value: true },
        { path: 'captcha.enabled', value: false },
      ]);
    });
    afterEach(async () => {
      for (const setting of [ACTIVATION, 'captcha.enabled'] as const) await app.get(SettingsService).reset(setting);
    });

    it('O25 keep it, whatever link was sent to an earlier one', async () => {
      const carol = { username: 'carol', email: 'wrong@mail.test', password: PASSWORD, agreement: true };
      await (await app.world.asApp('write:accounts')).post('/api/v1/accounts', carol).expect(200);
      const link = await linkTo('wrong@mail.test');
      await follow(link).expect(302);
      const { link: reset } = await ok<{ link: string }>(root.get(`${USERS}/carol/password_reset`));
      await ok(root.patch(`${USERS}/carol/credentials`, { email: 'right@mail.test' }));
      await follow(link).expect(400);
      await app.http.get(pathOf(reset)).expect(404);
      expect(await ok(root.get(`${USERS}/carol/credentials`))).toMatchObject({ email: 'right@mail.test' });
    });

    it('O25 lose none by a link that a stranger asked for before a forced reset', async () => {
      const alice = await app.world.as('alice');
      await ok(alice.post('/api/svc/change_email', { password: PASSWORD, email: 'thief@mail.test' }));
      const link = await linkTo('thief@mail.test');
      await root.patch(`${USERS}/force_password_reset`, { nicknames: ['alice'] }).expect(204);
      await follow(link).expect(400);
      expect(await emailOf('alice')).toBe('alice@mail.test');
    });

    it('are confirmed by the link of the letter also when the staff stores the same one', async () => {
      const carol = { username: 'carol', email: 'carol@mail.test', password: PASSWORD, agreement: true };
      await (await app.world.asApp('write:accounts')).post('/api/v1/accounts', carol).expect(200);
      const link = await linkTo('carol@mail.test');
      await ok(root.patch(`${USERS}/carol/credentials`, { email: 'carol@mail.test' }));
      await follow(link).expect(302);
    });
  });

  it('include pictures and the password', async () => {
    const alice = await app.world.as('alice');
    const file = await picture();
    await app.http.patch(path).auth(root.token, { type: 'bearer' }).attach('avatar', file, 'a.png').expect(200);
    expect(await ok(root.get(path))).toMatchObject({ avatar: expect.stringMatching(/^https:\/\/svc\.test\/media\//) });
    expect(await verify(alice)).toBe(200);
    await ok(root.patch(path, { password: 'a new one' }));
    expect(await login('a new one')).toMatchObject({ state: 'reset_required' });
    expect(await verify(alice)).toBe(401);
    expect(await ok(root.patch(path, {}))).toEqual({ status: 'success' });
  });

  it('leave no file without a row when a change of pictures fails', async () => {
    jest.spyOn(ModerationLogService.prototype, 'record').mockRejectedValueOnce(new Error('no'));
    const [file, { stored: before }] = [await picture(), await filesOf(app)];
    await app.http.patch(path).auth(root.token, { type: 'bearer' }).attach('avatar', file, 'a.png').expect(500);
    const added = (await filesOf(app)).stored.filter((name) => !before.includes(name));
    const rows = await app.sql<{ key: string }>('select file_key as key from attachments');
    expect(added).toEqual(rows.map(({ key }) => `media/${key}`));
    expect(added).toHaveLength(1);
  });

  it('are refused with an error for each field, also for a picture that is none', async () => {
    const patch = app.http.patch(path).auth(root.token, { type: 'bearer' });
    const refused = await patch
      .field('name', 'x'.repeat(101))
      .attach('avatar', Buffer.from('no picture'), 'a.png')
      .expect(400);
    expect(Object.keys((refused.body as { errors: object }).errors).toSorted()).toEqual(['avatar', 'name']);
  });

  it('are refused with an error for each field, and then none is changed', async () => {
    const before = await ok(root.get(path));
    const fields = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `${at}`, value: 'x' }));
    for (const [values, errors] of [
      [
        { actor_type: 'Cat', default_scope: 'odd' },
        { actor_type: 'is invalid', default_scope: 'is invalid' },
      ],
      [{ email: 'nowhere' }, { email: 'has invalid format' }],
      [{ email: 'bob@mail.test' }, { email: 'has already been taken' }],
      [{ password: 'short' }, { password: 'should be at least 8 character(s)' }],
      [{ bio: 'x'.repeat(5_001) }, { bio: 'The note is too long (maximum is 5000 characters)' }],
      [
        { actor_type: 'Cat', email: 'nowhere', password: 'short', name: 'x'.repeat(101), fields: fields(11) },
        {
          actor_type: 'is invalid',
          email: 'has invalid format',
          password: 'should be at least 8 character(s)',
          name: 'The display name is too long (maximum is 100 characters)',
          fields: 'A profile has at most 10 fields',
        },
      ],
    ]) {
      await root.patch(path, { name: 'Somebody', ...values }).expect(400, { errors });
    }
    expect(await ok(root.get(path))).toEqual(before);
    await root.patch(`${USERS}/nobody/credentials`, { name: 'x' }).expect(404, NOT_FOUND);
  });
});

it('credentials are refused an address that another user takes at that moment', async () => {
  await holding(app, async (holder) => {
    await holder.query(`update users set email = 'NEW@mail.test' where account_id = $1`, [id('bob')]);
    const changing = root.patch(`${USERS}/alice/credentials`, { email: 'new@mail.test', name: 'Alice' });
    const refused = changing.expect(400, { errors: { email: 'has already been taken' } }).then(() => undefined);
    await waitersOf(holder, 1);
    await holder.query('commit');
    await refused;
  });
});

describe('an archive', () => {
  it('can be requested for a user; the administrator gets the mail and may request another at once', async () => {
    for (let round = 0; round < 2; round += 1) {
      expect(await ok(root.post(`${ADMIN}/backups`, { nickname: 'alice' }))).toBe('');
    }
    await app.drain();
    const archives = mails.all.filter(({ text }) => text.includes('archive of the account'));
    expect(archives.flatMap(({ to }) => to)).toContain('root@mail.test');
    expect(archives.flatMap(({ to }) => to)).not.toContain('alice@mail.test');
    expect(await ok<object[]>((await app.world.as('alice')).get('/api/v1/svc/backups'))).not.toHaveLength(0);
    await root.post(`${ADMIN}/backups`, { nickname: 'nobody' }).expect(404, NOT_FOUND);
  });
});
