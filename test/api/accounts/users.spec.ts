import { hashSync } from '@node-rs/argon2';
import { FollowsService, UserRefused, UsersService } from '../../../src/accounts/index.js';
import { openSecret, SECRET_KEY } from '../../../src/platform/index.js';
import { useApp } from '../../support/servers/app.js';
import { holding, waitersOf } from '../../support/locks.js';
import { countQueries } from '../../support/queries.js';
import { PASSWORD } from '../../support/fixtures/world.js';

const app = useApp();
let users: UsersService;

beforeAll(() => {
  users = app.get(UsersService);
});
beforeEach(async () => {
  await app.world.person('alice');
});

const id = (nickname: string) => app.world.id(nickname);
const verify = (login: string, password = PASSWORD) => users.verifyPassword(login, password);

/** Creates all users at once; returns the number of successes and the refused fields of the others. */
async function creations(options: Parameters<UsersService['create']>[0][]) {
  const results = await Promise.allSettled(options.map((each) => users.create(each)));
  const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
  for (const refusal of refusals) expect(refusal).toBeInstanceOf(UserRefused);
  return { made: results.length - refusals.length, fields: refusals.map((refusal) => (refusal as UserRefused).fields) };
}

describe('a new user', () => {
  it('gets an account with addresses, counters and an encrypted key', async () => {
    const row = await users.create({ nickname: 'Bob', password: PASSWORD, displayName: 'Bob B.', bio: 'hi @alice' });
    expect(row).toMatchObject({
      nickname: 'Bob',
      domain: null,
      displayName: 'Bob B.',
      noteSource: 'hi @alice',
      apId: 'https://svc.test/users/Bob',
      inboxUrl: 'https://svc.test/users/Bob/inbox',
      outboxUrl: 'https://svc.test/users/Bob/outbox',
      followersUrl: 'https://svc.test/users/Bob/followers',
      followingUrl: 'https://svc.test/users/Bob/following',
      featuredUrl: 'https://svc.test/users/Bob/collections/featured',
      sharedInboxUrl: 'https://svc.test/inbox',
      followersCount: 0,
      isAdmin: false,
    });
    expect(row.noteHtml).toContain(`data-user="${id('alice')}"`);
    const [key] = await app.sql<{ private_sealed: Buffer; public_pem: string }>(
      'select * from keys where account_id = $1',
      [row.id],
    );
    expect(key!.public_pem).toContain('BEGIN PUBLIC KEY');
    const secretKey = app.nest.get<Buffer>(SECRET_KEY, { strict: false });
    expect(openSecret(secretKey, key!.private_sealed, `actor-key:${row.id}`).toString()).toContain('BEGIN PRIVATE KEY');
  });

  it('U1 D3 has a unique nickname regardless of case, even for simultaneous requests', async () => {
    const wanted = ['carol', 'Carol', 'CAROL', 'cArOl'].map((nickname) => ({ nickname, password: PASSWORD }));
    const { made, fields } = await creations([...wanted, { nickname: 'ALICE', password: PASSWORD }]);
    expect(made).toBe(1);
    expect(fields).toEqual(Array(4).fill({ nickname: ['has already been taken'] }));
  });

  it('O23 has a unique e-mail address regardless of case, and a refusal leaves nothing behind', async () => {
    const before = await app.sql('select count(*) from accounts');
    const { made, fields } = await creations([
      { nickname: 'x', email: 'ALICE@mail.test', password: PASSWORD },
      { nickname: 'y', email: 'alice@MAIL.test', password: PASSWORD },
    ]);
    expect([made, fields]).toEqual([0, Array(2).fill({ email: ['has already been taken'] })]);
    expect(await app.sql('select count(*) from accounts')).toEqual(before);
    expect(await creations([1, 2, 3].map((n) => ({ nickname: `none${n}`, password: PASSWORD })))).toMatchObject({
      made: 3,
    });
  });

  it('O23 is refused an address that another user takes at that moment', async () => {
    await app.world.person('bob');
    await holding(app, async (holder) => {
      await holder.query(`update users set email = 'NEW@mail.test' where account_id = $1`, [id('bob')]);
      const refused = expect(users.setEmail(id('alice'), 'new@mail.test')).rejects.toBeInstanceOf(UserRefused);
      await waitersOf(holder, 1);
      await holder.query('commit');
      await refused;
    });
    expect(await users.facts(id('alice'))).toMatchObject({ email: 'alice@mail.test' });
  });

  it('O24 cannot have the nickname of a deactivated account', async () => {
    await users.setActive(id('alice'), false);
    expect(await creations([{ nickname: 'alice', password: PASSWORD }])).toMatchObject({ made: 0 });
  });

  it('cannot have a reserved name, such as the brand', async () => {
    const reserved = ['api', 'Relay', 'svc', 'verify_credentials'].map((nickname) => ({
      nickname,
      password: PASSWORD,
    }));
    expect(await creations(reserved)).toMatchObject({ made: 0, fields: Array(4).fill({ nickname: ['is reserved'] }) });
    expect(await creations([{ nickname: 'admin', password: PASSWORD, isAdmin: true }])).toMatchObject({ made: 1 });
  });

  it('makes `exist` true', async () => {
    expect(await users.exist()).toBe(true);
    await app.reset();
    expect(await users.exist()).toBe(false);
  });
});

describe('a password', () => {
  it('is valid with the nickname and the e-mail address, in any case', async () => {
    const alice = { accountId: id('alice'), state: 'ok' };
    for (const login of ['alice', 'ALICE', 'alice@mail.test', 'Alice@Mail.Test'])
      expect(await verify(login)).toMatchObject(alice);
  });

  it('O12 is refused with the same answer in all cases', async () => {
    await app.world.remote('zoe', 'b.example');
    for (const login of ['nobody', '', 'nobody@mail.test', 'alice@', 'zoe', 'zoe@b.example']) {
      expect(await verify(login)).toBeUndefined();
    }
    for (const password of ['', 'wrong', `${PASSWORD} `, 'x'.repeat(5000)])
      expect(await verify('alice', password)).toBeUndefined();
  });

  it.each([
    ['deactivated', 'update accounts set deactivated_at = now()'],
    ['reset_required', 'update users set password_reset_required = true'],
    ['unconfirmed', 'update users set is_confirmed = false'],
    ['unapproved', 'update users set is_approved = false'],
  ])('can be verified for a user that is %s', async (state, make) => {
    await app.sql(make);
    expect(await verify('alice')).toMatchObject({ accountId: id('alice'), state });
    expect(await users.facts(id('alice'))).toMatchObject({ state, active: state === 'reset_required' });
  });

  it('can be changed, which ends a required reset', async () => {
    await app.sql('update users set password_reset_required = true');
    await users.setPassword(id('alice'), 'another one');
    expect(await verify('alice')).toBeUndefined();
    expect(await verify('alice', 'another one')).toMatchObject({ state: 'ok' });
    await expect(users.setPassword(id('alice'), '')).rejects.toThrow("password can't be blank");
    await expect(users.setPassword(id('alice'), '1234567')).rejects.toThrow(
      'password should be at least 8 character(s)',
    );
    await expect(users.setPassword('nobody', 'another one')).rejects.toThrow('Record not found');
  });

  describe('with a hash of lower costs', () => {
    const hash = async () => (await app.sql<{ password_hash: string }>('select password_hash from users'))[0]!;
    beforeEach(() =>
      app.sql('update users set password_hash = $1', [hashSync(PASSWORD, { memoryCost: 8192, timeCost: 1 })]),
    );

    it('is hashed again, and stays valid for all concurrent sign-ins', async () => {
      const before = await hash();
      const answers = await holding(app, async (holder) => {
        await holder.query('select from users for update');
        const verifying = Promise.all([verify('alice'), verify('alice')]);
        await waitersOf(holder, 2);
        await holder.query('commit');
        return verifying;
      });
      const after = await hash();
      expect(after).not.toEqual(before);
      expect(answers).toEqual(
        answers.map(() => ({ accountId: id('alice'), state: 'ok', passwordHash: after.password_hash })),
      );
    });

    it('is refused when it is changed at the same moment', async () => {
      await holding(app, async (holder) => {
        await holder.query('update users set password_hash = $1', [hashSync('another')]);
        const verifying = verify('alice');
        await waitersOf(holder, 1);
        await holder.query('commit');
        expect(await verifying).toBeUndefined();
      });
    });
  });
});

describe('roles and facts', () => {
  it('are set and removed one by one', async () => {
    await users.setRole(id('alice'), { isAdmin: true });
    await users.setRole(id('alice'), { isModerator: true });
    expect(await users.facts(id('alice'))).toEqual({
      email: 'alice@mail.test',
      locale: null,
      confirmed: true,
      approved: true,
      isAdmin: true,
      isModerator: true,
      state: 'ok',
      active: true,
    });
    await expect(users.setRole(id('alice'), { isAdmin: false })).rejects.toThrow('only administrator');
    await app.world.person('root', { admin: true });
    await users.setRole(id('alice'), { isAdmin: false });
    expect(await users.facts(id('alice'))).toMatchObject({ isAdmin: false, isModerator: true });
  });

  it('exist for local users only', async () => {
    const { id: zoe } = await app.world.remote('zoe', 'b.example');
    for (const nobody of [zoe, 'nobody']) {
      await expect(users.facts(nobody)).rejects.toThrow('Record not found');
      await expect(users.defaults(nobody)).rejects.toThrow('Record not found');
      await expect(users.setRole(nobody, { isAdmin: true })).rejects.toThrow('Record not found');
    }
  });

  it('include the defaults of posts, and whether followers want notifications', async () => {
    const usual = {
      scope: 'public',
      quotePolicy: 'public',
      sensitive: false,
      language: null,
      noRichText: false,
      tags: [],
    };
    await app.world.person('dora');
    await app.world.follow('dora', 'alice');
    expect(await users.defaults(id('alice'))).toEqual({ ...usual, hasSubscribers: false });
    await app.get(FollowsService).follow(id('dora'), id('alice'), { notify: true });
    expect(await users.defaults(id('alice'))).toEqual({ ...usual, hasSubscribers: true });
  });
});

describe('activity', () => {
  const lastActive = async () =>
    (
      await app.sql<{ last_active_at: string }>('select last_active_at from users where account_id = $1', [id('alice')])
    )[0]!.last_active_at;
  const wasActive = (ago: string) =>
    app.sql(`update users set last_active_at = now() - $2::interval where account_id = $1`, [id('alice'), ago]);

  it('is stored at most once an hour', async () => {
    await wasActive('30 minutes');
    const before = await lastActive();
    await users.touchActivity(id('alice'));
    expect(await lastActive()).toBe(before);
    await app.world.person('dora');
    await app.sql(`update users set last_active_at = now() - interval '2 hours' where account_id = $1`, [id('dora')]);
    const { statements } = await countQueries(() =>
      Promise.all(Array.from({ length: 5 }, () => users.touchActivity(id('dora')))),
    );
    expect(statements.filter((name) => name === 'users.touch_activity')).toHaveLength(1);
    const [row] = await app.sql<{ fresh: boolean }>(
      `select last_active_at > now() - interval '1 minute' as fresh from users where account_id = $1`,
      [id('dora')],
    );
    expect(row).toEqual({ fresh: true });
  });

  it('is stored by the next request after a failure', async () => {
    await app.world.person('erin');
    const erin = app.world.id('erin');
    await app.sql(`update users set last_active_at = now() - interval '31 days' where account_id = $1`, [erin]);
    await app.sql(`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'not now'; end $$;
      create trigger refusing before update on users for each row execute function refuse()`);
    await expect(users.touchActivity(erin)).rejects.toThrow('not now');
    await app.sql('drop trigger refusing on users; drop function refuse');
    await users.touchActivity(erin);
    const [row] = await app.sql<{ floor: string }>('select feed_floor as floor from users where account_id = $1', [
      erin,
    ]);
    expect(row!.floor).not.toBe('');
  });

  it('after a month raises the floor of the feed, and a job lowers it again', async () => {
    await wasActive('31 days');
    await app.drain();
    await users.touchActivity(id('alice'));
    const floor = async () =>
      (await app.sql<{ feed_floor: string }>('select feed_floor from users where account_id = $1', [id('alice')]))[0]!
        .feed_floor;
    expect((await floor()) > id('alice')).toBe(true);
    await app.drain();
    expect(await floor()).toBe('');
  });
});
