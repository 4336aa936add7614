import { fileURLToPath } from 'node:url';
import type supertest from 'supertest';
import { AccountCounterRepairService, AccountDeletionService, UsersService } from '../../../src/accounts/index.js';
import { SettingsService } from '../../../src/config/index.js';
import { TokensService } from '../../../src/oauth/index.js';
import { StatusesService } from '../../../src/statuses/index.js';
import { Scratch, until } from '../../process/scratch.js';
import { holding } from '../../support/locks.js';
import { startApp, useApp } from '../../support/servers/app.js';
import { type CtlResult, runCtl } from '../../support/servers/ctl.js';
import { makeStatuses } from '../../support/fixtures/factories.js';
import { picture } from '../../support/fixtures/media-files.js';
import { OauthClient } from '../../support/fixtures/oauth.js';
import { expectCountersToMatchRows, ok, post, reblog } from '../../support/fixtures/statuses.js';
import { filesOf, pathOf, upload } from '../../support/fixtures/uploads.js';
import { type Client, PASSWORD } from '../../support/fixtures/world.js';

const MAIN = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));
const DELETE = '/api/svc/delete_account';
const WRONG = { error: 'Invalid password.' };
/** More rows than two jobs delete together. */
const MANY = 120;
/**
 * Columns with rows that stay: the counters of the tombstone, mentions in other posts, moderation notes, and for a
 * while the keys.
 */
const KEPT = [
  'account_stats.account_id',
  'accounts.moved_to_id',
  'keys.account_id',
  'mentions.account_id',
  'relay_followers.account_id', // for remote servers only
  'relays.account_id',
  'report_notes.author_id',
  'reports.account_id',
  'reports.actor_id',
  'reports.assigned_id',
];

/** Inserts rows of `$1` that no request makes here. */
const ROWS = [
  'insert into suggested_accounts (account_id) values ($1)',
  `insert into suggested_accounts (account_id) select id from accounts where nickname = 'carol' and id <> $1`,
  `insert into dismissed_suggestions (account_id, target_id) select $1, id from accounts where nickname = 'carol'`,
  `insert into dismissed_suggestions (account_id, target_id) select id, $1 from accounts where nickname = 'carol'`,
  `insert into known_networks (account_id, network_hash) values ($1, '\\x00')`,
  `insert into oauth_codes (account_id, code_hash, app_id, redirect_uri, scopes)
   select $1, '\\x00', min(id), 'app://x', '{}' from oauth_apps`,
  `insert into email_confirmations (account_id, token_hash, email) values ($1, '\\x00', 'a@mail.test')`,
  `insert into password_resets (account_id, token_hash) values ($1, '\\x00')`,
  `insert into second_factors (account_id, totp_sealed) values ($1, '')`,
  `insert into recovery_codes (account_id, code_hash) values ($1, '\\x00')`,
  `insert into mfa_challenges (token_hash, account_id, purpose, data, expires_at) values ('\\x00', $1, '', '{}', now())`,
  `insert into import_entries (account_id, action, address) values ($1, 'follow', 'x@far.test')`,
  `insert into announcements (id, source, content_html) values ('a' || $1::text, '', '')`,
  `insert into announcement_reads (account_id, announcement_id) values ($1, 'a' || $1::text)`,
  `insert into announcement_reactions (account_id, announcement_id, name) values ($1, 'a' || $1::text, '🍵')`,
  `insert into push_subscriptions (token_id, account_id, endpoint, p256dh, auth, alerts, policy, token_sealed)
   select id, account_id, '', '', '', '{}', 'all', '' from oauth_tokens where account_id = $1 limit 1`,
  `insert into account_notes (account_id, target_id, comment) select $1, id, '' from accounts where nickname = 'carol'`,
  `insert into mutes (account_id, target_id) select id, $1 from accounts where nickname = 'carol'`,
  `insert into blocks (account_id, target_id) select id, $1 from accounts where nickname = 'carol'`,
  `insert into blocks (account_id, target_id) select $1, id from accounts where nickname = 'carol'`,
  `insert into notifications (receiver_id, from_id, type, target_id) select id, id, 'move', $1 from accounts where nickname = 'carol'`,
  `insert into notification_requests (receiver_id, from_id) select id, $1 from accounts where nickname = 'carol'`,
  `insert into notification_requests (receiver_id, from_id) select $1, id from accounts where nickname = 'carol'`,
  `insert into shouts (account_id, text) values ($1, '')`,
  `insert into activities (account_id, uri, type, body) values ($1, 'https://svc.test/activities/1', 'Like', '{}')`,
];

const scratch = new Scratch();
const app = useApp({ people: ['alice', 'bob', 'carol'] });
let alice: Client;
let bob: Client;
let filesBefore: string[];

afterAll(() => scratch.remove());
beforeEach(async () => {
  [alice, bob] = await Promise.all([app.world.as('alice'), app.world.as('bob')]);
  filesBefore = await filesHere();
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** The files of uploads, profile pictures and archives. */
const filesHere = async () => {
  const { stored, temporary } = await filesOf(app);
  const archives = await app.files.paths('archives');
  return [...stored, ...temporary, ...archives.filter((name) => name.endsWith('.zip'))].sort();
};
const ctl = (...args: string[]): Promise<CtlResult> => runCtl(app.variables, ...args);
const deletion = () => app.get(AccountDeletionService);

/** The columns that refer to accounts, as `table.column`. */
async function referring(): Promise<string[]> {
  const columns = await app.sql<{ name: string }>(
    `select cl.relname || '.' || a.attname as name from pg_constraint c
     join pg_class cl on cl.oid = c.conrelid join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
     where c.contype = 'f' and c.confrelid = 'accounts'::regclass
     union select unnest(array['home_feed.account_id', 'home_feed.author_id']) order by 1`,
  );
  return columns.map(({ name }) => name).filter((name) => !KEPT.includes(name));
}

/** The columns that refer to this account. */
async function namedIn(accountId: string): Promise<string[]> {
  const found = (await referring()).map((name) => {
    const [table, column] = name.split('.');
    return `select '${name}' as name from ${table} where ${column} = $1`;
  });
  const rows = await app.sql<{ name: string }>(`${found.join(' union ')} order by 1`, [accountId]);
  return rows.map(({ name }) => name);
}

/**
 * Fills every table with rows of alice; returns the ids of a post by bob and of one by her, and addresses of two files.
 */
async function livedHere(): Promise<{ bobs: string; own: string; avatar: string; file: string }> {
  const [aliceId, bobId] = [app.world.id('alice'), app.world.id('bob')];
  await app.world.follow('alice', 'bob');
  await app.world.follow('bob', 'alice');
  await app.sql('insert into follows (follower_id, followee_id, state) values ($1, $2, 0)', [
    app.world.id('carol'),
    aliceId,
  ]);
  const bobs = (await post(app, 'bob', '#tea')).id;
  const { id: media, url } = await upload(app, 'alice');
  const own = (await post(app, 'alice', 'pictures', { media_ids: [media] })).id;
  await post(app, 'alice', 'yes', { in_reply_to_id: bobs, quote_id: bobs });
  await post(app, 'alice', '@bob psst', { visibility: 'direct' });
  await post(app, 'bob', '@alice psst', { visibility: 'direct' });
  await post(app, 'bob', 'no', { in_reply_to_id: own });
  const { poll } = await post(app, 'bob', 'tea?', { poll: { options: ['yes', 'no'], expires_in: 600 } });
  await ok(alice.post(`/api/v1/polls/${poll!.id}/votes`, { choices: [0] }));
  await reblog(app, 'alice', bobs);
  await reblog(app, 'bob', own);
  for (const verb of ['favourite', 'bookmark', 'mute']) await ok(alice.post(`/api/v1/statuses/${bobs}/${verb}`));
  await ok(alice.put(`/api/v1/svc/statuses/${bobs}/reactions/${encodeURIComponent('🍵')}`));
  await ok(bob.post(`/api/v1/statuses/${own}/favourite`));
  await ok(alice.post(`/api/v1/statuses/${own}/pin`));
  await ok(alice.post('/api/v1/svc/bookmark_folders', { name: 'Recipes' }));
  const waiting = (await upload(app, 'alice')).id;
  const later = new Date(Date.now() + 86_400_000).toISOString();
  await ok(alice.post('/api/v1/statuses', { status: 'later', media_ids: [waiting], scheduled_at: later }));
  await upload(app, 'alice');
  const asAlice = (request: supertest.Test) => request.set('authorization', `Bearer ${alice.token}`);
  await asAlice(app.http.put('/api/v1/svc/mascot').attach('file', await picture(), 'mascot.png')).expect(200);
  for (const [client, other] of [
    [alice, bobId],
    [bob, aliceId],
  ] as const) {
    const chat = await ok<{ id: string }>(client.post(`/api/v1/svc/chats/by-account-id/${other}`));
    await ok(client.post(`/api/v1/svc/chats/${chat.id}/messages`, { content: 'psst' }));
  }
  const list = await ok<{ id: string }>(alice.post('/api/v1/lists', { title: 'people' }));
  await ok(alice.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [bobId] }));
  const bobsList = await ok<{ id: string }>(bob.post('/api/v1/lists', { title: 'people' }));
  await ok(bob.post(`/api/v1/lists/${bobsList.id}/accounts`, { account_ids: [aliceId] }));
  await ok(bob.post(`/api/v1/accounts/${aliceId}/note`, { comment: 'nice' }));
  await ok(alice.post(`/api/v1/accounts/${app.world.id('carol')}/mute`));
  await ok(alice.post('/api/v1/domain_blocks', { domain: 'far.test' }));
  await ok(alice.post('/api/v1/tags/tea/follow'));
  await ok(alice.post('/api/v1/filters', { phrase: 'tea', context: ['home'] }));
  await ok(alice.post('/api/v1/markers', { home: { last_read_id: bobs } }));
  await ok(alice.post('/api/v1/svc/scrobble', { title: 'a song' }));
  await ok(alice.post('/api/v1/svc/backups'));
  for (const statement of ROWS) await app.sql(statement, [aliceId]);
  const profile = await asAlice(app.http.patch('/api/v1/accounts/update_credentials'))
    .field('display_name', 'Alice A.')
    .field('note', 'canary')
    .attach('avatar', await picture(), 'me.png')
    .expect(200);
  await makeStatuses(app, 'alice', MANY);
  await app.sql('update account_stats set statuses_count = statuses_count + $2 where account_id = $1', [aliceId, MANY]);
  await app.drain();
  return { bobs, own, avatar: (profile.body as { avatar: string }).avatar, file: url };
}

/** Expects that no rows of alice are left and that the counters of all others are right. */
async function expectNothingLeft(): Promise<void> {
  expect(await namedIn(app.world.id('alice'))).toEqual([]);
  expect(await filesHere()).toEqual(filesBefore);
  await expectCountersToMatchRows(app);
  expect(await app.get(AccountCounterRepairService).follows({ fix: false })).toBe(0);
  const jobs = `select name from jobs where name ~ 'eras|remove' and name <> 'federation.remove-keys'`; // that job recurs
  expect(await app.sql(jobs)).toEqual([]);
}

describe('a deleted account', () => {
  it('is hidden and signed out at once, before any job runs', async () => {
    const { own } = await livedHere();
    const client = new OauthClient(app);
    const keys = await client.register();
    await deletion().delete(app.world.id('alice'));
    await alice.get('/api/v1/accounts/verify_credentials').expect(401);
    await app.http
      .post('/oauth/token')
      .send({ ...keys, grant_type: 'password', username: 'alice', password: PASSWORD })
      .expect(400);
    const id = app.world.id('alice');
    const tokens = await app.sql<{ id: string }>('select id from oauth_tokens where account_id = $1', [id]);
    expect(tokens.length).toBeGreaterThan(0);
    expect(await app.get(TokensService).live(tokens.map((token) => token.id))).toEqual(new Map()); // asked by streams
    await app.world.person('root', { admin: true });
    for (const reader of [app.world.anonymous, bob, await app.world.as('root')]) {
      for (const path of [`/api/v1/accounts/${id}`, '/api/v1/accounts/alice', `/api/v1/statuses/${own}`, '/@alice'])
        await reader.get(path).expect(404);
    }
    const gone = await app.world.anonymous.get('/users/Alice').set('accept', 'application/activity+json').expect(410);
    expect(gone.body).toMatchObject({ id: 'https://svc.test/users/alice', type: 'Tombstone', formerType: 'Person' });
    expect(gone.text).not.toMatch(/canary|publicKey/);
    await app.world.anonymous.get('/.well-known/webfinger?resource=acct:alice@svc.test').expect(404);
    expect(await app.sql('select from users where account_id = $1', [id])).toEqual([]);
    expect(await app.sql(`select from accounts a where a::text ~ 'canary|Alice A' and id = $1`, [id])).toEqual([]);
  });

  it('leaves nothing but its name behind after the jobs', async () => {
    const { bobs, own, avatar, file } = await livedHere();
    expect(await namedIn(app.world.id('alice'))).toEqual(await referring());
    await deletion().delete(app.world.id('alice'));
    await app.drain();
    await expectNothingLeft();
    for (const url of [avatar, file]) await app.world.anonymous.get(pathOf(url)).expect(404);
    expect(await ok(bob.get(`/api/v1/statuses/${bobs}`))).toMatchObject({
      favourites_count: 0,
      reblogs_count: 0,
      replies_count: 0,
    });
    expect(await ok<object>(bob.get('/api/v1/accounts/verify_credentials'))).toMatchObject({
      followers_count: 0,
      following_count: 0,
    });
    await bob.get(`/api/v1/statuses/${own}`).expect(404);
    expect(await ok<object[]>(bob.get('/api/v1/notifications'))).toEqual([]);
    const again = { nickname: 'ALICE', password: PASSWORD };
    await expect(app.get(UsersService).create(again)).rejects.toThrow('has already been taken');
  });

  it('stays deleted and cannot be activated again', async () => {
    await deletion().delete(app.world.id('alice'));
    await expect(deletion().delete(app.world.id('alice'))).rejects.toThrow('Record not found');
    await app.get(UsersService).setActive(app.world.id('alice'), true);
    expect(await app.world.account('alice')).toMatchObject({ deactivatedAt: expect.any(String) });
    expect(await ctl('user', 'set', 'alice', '--active')).toMatchObject({
      code: 1,
      err: 'The account alice was deleted.',
    });
  });

  it('is removed completely even when a job dies halfway or all jobs run twice', async () => {
    await livedHere();
    await deletion().delete(app.world.id('alice'));
    const service = app.get(StatusesService);
    const remove = service.delete.bind(service);
    let calls = 0;
    jest.spyOn(service, 'delete').mockImplementation((...given) => {
      calls += 1;
      return calls === 70 ? Promise.reject(new Error('killed')) : remove(...given);
    });
    await app.drain();
    expect(await namedIn(app.world.id('alice'))).toContain('statuses.author_id');
    await app.sql(`update jobs set run_at = now() where name = 'statuses.erase'`);
    await app.drain();
    await expectNothingLeft();
    await deletion().repeat({ accountId: app.world.id('alice') });
    await app.drain();
    await expectNothingLeft();
  });

  it('J1 J2 is removed completely when the server is killed in the middle', async () => {
    await livedHere();
    await alice.post(DELETE, { password: PASSWORD }).expect(200, { status: 'success' });
    const id = app.world.id('alice');
    const posts = async () => (await app.sql('select from statuses where author_id = $1', [id])).length;
    const before = await posts();
    await holding(app, async (holder) => {
      // the oldest post is erased last and has to wait, so that the server cannot finish before the kill
      await holder.query('select from statuses where author_id = $1 order by id limit 1 for update', [id]);
      const server = scratch.run(process.execPath, [MAIN], {
        env: {
          ...app.variables,
          PORT: '0',
          LOG_LEVEL: 'error',
          SECRET_KEY: 'ab'.repeat(32),
        },
      });
      await until('some erased posts', async () => (await posts()) < before - MANY / 4 || undefined);
      process.kill(server.pid, 'SIGKILL');
      await server.ended;
    });
    await until('the end of its transactions', async () => {
      const open = await app.sql(
        `select from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`,
      );
      return open.length === 0 || undefined;
    });
    expect(await posts()).toBeGreaterThan(0);
    await app.sql('update jobs set run_at = now()'); // ends the leases of the dead server
    await app.drain();
    await expectNothingLeft();
  });
});

describe('POST delete_account', () => {
  it.each([DELETE, '/api/v1/svc/delete_account'])('%s deletes the account only with its password', async (path) => {
    await alice.post(path, { password: 'a wrong one' }).expect(200, WRONG);
    await alice.post(path).expect(400);
    await alice.post(path, { password: '' }).expect(422);
    expect(await app.sql('select from accounts where deleted_at is not null')).toEqual([]);
    await alice.post(path, { password: PASSWORD }).expect(200, { status: 'success' });
    await alice.get('/api/v1/accounts/verify_credentials').expect(401);
  });

  it('deletes once when it is requested several times at the same time', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => alice.post(DELETE, { password: PASSWORD })));
    expect(answers.filter(({ text }) => text === '{"status":"success"}')).toHaveLength(1);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    expect(await app.sql(`select from jobs where name = 'statuses.begin-erasure'`)).toHaveLength(1);
  });

  it('refuses to delete the only administrator', async () => {
    await app.world.person('root', { admin: true });
    const root = await app.world.as('root');
    await root.post(DELETE, { password: PASSWORD }).expect(403);
    await app.world.person('other', { admin: true });
    await root.post(DELETE, { password: PASSWORD }).expect(200, { status: 'success' });
  });
});

describe('O14 guessing the password at delete_account', () => {
  it('is refused after several wrong passwords', async () => {
    const limited = await startApp({ RATE_LIMITS: 'auth-only' });
    try {
      await limited.get(SettingsService).update([{ path: 'rate_limit.authentication', value: [3_600_000, 2] }]);
      await limited.world.person('alice');
      const caller = await limited.world.as('alice');
      for (let i = 0; i < 2; i += 1) await caller.post(DELETE, { password: 'a wrong one' }).expect(200, WRONG);
      await caller.post(DELETE, { password: PASSWORD }).expect(429);
    } finally {
      await limited.close();
    }
  });
});

describe('user delete', () => {
  it('lists the data to delete, and deletes only with --yes', async () => {
    await livedHere();
    const refused = await ctl('user', 'delete', 'Alice');
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toMatch(/^Nothing was deleted\. With --yes the account alice .* 1 followers, 1 follows/);
    await alice.get('/api/v1/accounts/verify_credentials').expect(200);
    expect(await ctl('user', 'delete', 'alice', '--yes')).toMatchObject({ code: 0, err: '' });
    await alice.get('/api/v1/accounts/verify_credentials').expect(401);
    await app.drain();
    await expectNothingLeft();
    expect(await ctl('user', 'create', 'alice', '--password', 'long enough')).toMatchObject({
      code: 1,
      err: 'nickname has already been taken',
    });
  });

  it('refuses to delete the only administrator', async () => {
    await app.world.person('root', { admin: true });
    const { code, err } = await ctl('user', 'delete', 'root', '--yes');
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('The only administrator') });
  });
});
