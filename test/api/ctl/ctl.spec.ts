import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SettingsService, VapidKeys } from '../../../src/config/index.js';
import { createOnce, type DatabaseAddress } from '../../../src/platform/index.js';
import { ask, postmasterOf, Scratch } from '../../process/scratch.js';
import { startApp, useApp } from '../../support/servers/app.js';
import { type CtlResult, runCtl, runCtlProcess, urlOf } from '../../support/servers/ctl.js';
import { makeDatabase } from '../../support/servers/database.js';
import { fillFeed, makeStatuses } from '../../support/fixtures/factories.js';

interface Finding {
  readonly check: string;
  readonly problems: readonly string[];
  readonly fixed: boolean;
}

const failed = (err: string): CtlResult => ({ code: 1, out: '', err });

describe('an operator command that names a path', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-paths-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const [file, loop, none] = [join(folder, 'file'), join(folder, 'loop'), join(folder, 'none')];
  writeFileSync(file, '');
  symlinkSync(loop, loop);
  const refusals = {
    missing: [none, `There is no ${none}.`],
    'a folder': [folder, `${folder} is a folder, and a file is needed there. Move it away, or name another file.`],
    'behind a file': [`${file}/x`, `${file}/x leads through a file where a folder is needed. Name another folder.`],
    'a link to itself': [loop, `${loop} is a link that leads back to itself. Remove it, or name another place.`],
    'too long': [
      join(folder, 'a'.repeat(300)),
      `${join(folder, 'a'.repeat(300))} is a longer name than the system allows. Name another place.`,
    ],
  } as const;
  const readers: readonly ((path: string) => string[])[] = [
    (path) => ['backup', 'verify', path],
    (path) => ['backup', 'restore', path],
    (path) => ['backup', 'create', join(folder, 'new'), '--key-file', path],
    (path) => ['blocks', 'import', path],
    (path) => ['frontend', 'install', 'x', '--file', path],
  ];

  it.each(Object.entries(refusals))('says in a sentence that a file to read is %s', async (_, [path, err]) => {
    for (const reader of readers) expect(await runCtl({ DATA_DIR: none }, ...reader(path))).toEqual(failed(err));
  });

  it.each(['a folder', 'a link to itself', 'too long'] as const)('says that a file to write is %s', async (kind) => {
    const [path, err] = refusals[kind];
    const setup = ['setup', '--domain', 'social.example', '--folder', join(folder, 'deploy'), '--environment', path];
    expect(await runCtl({ DATA_DIR: none }, ...setup)).toEqual(failed(err));
  });

  it('says that the secret key is a folder', () => {
    expect(() => createOnce(folder, '')).toThrow(`${folder} is a folder, and a file is needed there.`);
  });
});

describe('an operator command', () => {
  const app = useApp();

  const on = (address: DatabaseAddress, ...args: string[]) =>
    runCtl({ DATABASE_URL: urlOf(address), DATA_DIR: app.env.dataDir, BASE_URL: app.env.baseUrl }, ...args);
  const ctl = (...args: string[]) => on(app.address, ...args);
  /** The output of a successful command without complaints. */
  const outputOf = async (...args: string[]): Promise<string> => {
    const { out, ...rest } = await ctl(...args);
    expect(rest).toEqual({ code: 0, err: '' });
    return out;
  };

  describe('with invalid arguments', () => {
    const nowhere = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' };

    it('explains its usage, before it needs the database', async () => {
      const { code, out, err } = await runCtlProcess(nowhere, 'user', 'set', 'alice');
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toBe('"user set" needs at least one option.\nHelp: npm run ctl -- help user set');
    });

    it('finds help', async () => {
      const { code, out } = await runCtlProcess({ PORT: 'x' }, 'user', 'set', '--help');
      expect(code).toBe(0);
      expect(out).toMatch(/^Usage: npm run ctl -- user set <nickname> \[options\]\n[^]*\n {2}--admin, --no-admin /);
    });

    it('explains a wrong environment without a stack', async () => {
      const { code, out, err } = await runCtl({ PORT: 'x', DATABASE_URL: 'mysql://x' }, 'doctor');
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).toMatch(/^The environment is not usable:\n {2}PORT: .*\n {2}DATABASE_URL: .*$/);
    });
  });

  describe('without an existing server', () => {
    const scratch = new Scratch();
    afterAll(() => scratch.remove());

    it('is refused, and leaves nothing on the disk', async () => {
      const folder = scratch.dataDir();
      const hint = 'set DATA_DIR as the server has it, or start the server once.';
      for (const args of [['migrate'], ['user', 'show', 'alice']]) {
        expect(await runCtl({ DATA_DIR: folder }, ...args)).toEqual(
          failed(`There is no database in ${folder}: ${hint}`),
        );
      }
      const elsewhere = { DATABASE_URL: urlOf(app.address), DATA_DIR: folder };
      expect(await runCtl(elsewhere, 'user', 'create', 'alice')).toEqual(failed(`There is no ${folder}: ${hint}`));
      expect(existsSync(folder)).toBe(false);
      const keyless = { DATABASE_URL: urlOf(app.address), DATA_DIR: scratch.root, SECRET_KEY: '' };
      const key = join(scratch.root, 'secret.key');
      expect(await runCtl(keyless, 'user', 'create', 'alice')).toEqual(failed(`There is no ${key}: ${hint}`));
      expect(existsSync(key)).toBe(false);
    });
  });

  describe('migrate', () => {
    it('brings an empty database up to date, which every other command requires', async () => {
      const database = await makeDatabase('template1');
      const { address } = database;
      try {
        const complaint = 'The database is not up to date: run `npm run ctl -- migrate` first.';
        expect(await on(address, 'user', 'show', 'alice')).toEqual(failed(complaint));
        const doctor = await on(address, 'doctor');
        expect(doctor.code).toBe(1);
        expect(doctor.out).toMatch(/^WRONG {2}migrations: \d+ migrations missing: run "migrate"$/);
        expect((await on(address, 'migrate')).out).toMatch(/^PlatformJobs\d+\n(.+\n)+\d+ migrations ran\.$/);
        expect((await on(address, 'migrate')).out).toBe('The database is up to date.');
        await ask(address, `insert into migrations (timestamp, name) values (1, 'Tomorrow1')`);
        const newer = 'The database was used by a newer version: run that one.';
        expect(await on(address, 'jobs', 'list')).toEqual(failed(newer));
      } finally {
        await database.drop();
      }
    });
  });

  it('keys show prints the key for web push subscriptions', async () => {
    expect(await outputOf('keys', 'show')).toBe(`vapid  ${await app.get(VapidKeys).publicKey()}`);
  });

  describe('doctor', () => {
    const doctor = async (...args: string[]) => {
      const { code, out, err } = await ctl('doctor', '--json', ...args);
      const ill = (JSON.parse(out) as Finding[]).filter(({ problems }) => problems.length > 0);
      return { code, err, ill };
    };
    const well = { code: 0, err: '', ill: [] };

    it('finds nothing wrong with a server in use', async () => {
      await app.world.persons('alice', 'bob');
      await app.world.follow('bob', 'alice');
      const alice = await app.world.as('alice');
      const { body } = (await alice.post('/api/v1/statuses', { status: 'hello' }).expect(200)) as {
        body: { id: string };
      };
      await (await app.world.as('bob')).post(`/api/v1/statuses/${body.id}/reblog`).expect(200);
      await (await app.world.as('bob')).post(`/api/v1/statuses/${body.id}/favourite`).expect(200);
      await app.drain();
      expect(await outputOf('doctor')).toMatch(/^(ok {5}.*\n?){15}$/);
    });

    it('tells beside its result which large table it reads, and how far it is', async () => {
      await app.sql('alter table status_stats set (autovacuum_enabled = off)'); // it would count the rows again
      // as in a database of 200,000 posts
      await app.sql(`update pg_class set reltuples = 200000 where oid = 'status_stats'::regclass`);
      const { out, err } = await ctl('doctor');
      expect(out).toContain('ok     counters of statuses');
      expect(err.split('\n')).toEqual([
        '...    unique rows: status_stats_pkey, about 200000 rows',
        '...    counters of statuses: 0 of about 200000 rows',
      ]);
      expect((await ctl('doctor', '--json')).err).toBe('');
      await app.sql(`update pg_class set reltuples = 2000000 where oid = 'status_stats'::regclass`);
      const some = await ctl('doctor');
      expect(some.out).toContain('ok     unique rows: without status_stats, "doctor --all" reads them');
      expect(some.out).toContain(
        'ok     counters of statuses: the newest 200000 of about 2000000, "doctor --all" compares all',
      );
      expect(some.err).toBe('...    counters of statuses: 0 of about 200000 rows');
      const all = await ctl('doctor', '--all');
      expect(all.out).toMatch(/^ok {5}unique rows$/m);
      expect(all.err).toContain('status_stats_pkey, about 2000000 rows');
      expect(all.err).toContain('counters of statuses: 0 of about 2000000 rows');
      await app.sql('alter table status_stats reset (autovacuum_enabled)');
    });

    it('finds a key that this server cannot decrypt', async () => {
      await app.get(VapidKeys).publicKey();
      const key = { SECRET_KEY: 'cd'.repeat(32), DATA_DIR: app.env.dataDir };
      const { code, out } = await runCtl({ ...key, DATABASE_URL: urlOf(app.address) }, 'doctor');
      expect(code).toBe(1);
      expect(out).toContain('WRONG  keys: the key for web push does not open with this SECRET_KEY');
    });

    it('finds wrong counters, and corrects them', async () => {
      await app.world.persons('alice', 'bob', 'carol');
      await app.world.follow('bob', 'alice');
      const [post] = await makeStatuses(app, 'alice', 3);
      await app.sql(`insert into favourites (account_id, status_id) values ($1, $2)`, [app.world.id('bob'), post]);
      await app.sql(`update account_stats set followers_count = 7, statuses_count = 3 where account_id = $1`, [
        app.world.id('alice'),
      ]);
      await app.sql(`update account_stats set statuses_count = 2 where account_id = $1`, [app.world.id('carol')]);
      const found = [
        {
          check: 'counters of accounts',
          problems: ['1 account with wrong numbers of followers or follows', '1 account with wrong numbers of posts'],
        },
        { check: 'counters of statuses', problems: ['1 status with wrong numbers of replies, boosts or favourites'] },
      ];
      const report = await doctor();
      expect(report).toMatchObject({ code: 1, err: 'Something is wrong with 2 things.', ill: found });
      expect(await doctor('--fix')).toEqual({ ...well, ill: found.map((finding) => ({ ...finding, fixed: true })) });
      expect(await doctor()).toEqual(well);
      const counts = await app.sql(
        `select nickname, statuses_count, followers_count, following_count from accounts a
         join account_stats s on s.account_id = a.id order by nickname`,
      );
      expect(counts).toEqual([
        { nickname: 'alice', statuses_count: 3, followers_count: 1, following_count: 0 },
        { nickname: 'bob', statuses_count: 0, followers_count: 0, following_count: 1 },
        { nickname: 'carol', statuses_count: 0, followers_count: 0, following_count: 0 },
      ]);
      expect(await app.sql('select favourites from status_stats where status_id = $1', [post])).toEqual([
        { favourites: 1 },
      ]);
    });

    it('finds a feed that lacks an old post, and rebuilds it', async () => {
      await app.world.persons('alice', 'reader');
      await app.world.follow('reader', 'alice');
      const posts = await makeStatuses(app, 'alice', 4);
      await fillFeed(app, 'reader', posts.slice(0, 3));
      await app.sql(`update account_stats set statuses_count = 4 where account_id = $1`, [app.world.id('alice')]);
      expect(await doctor()).toEqual(well); // the fan-out may still be running
      await app.sql(`update statuses set created_at = now() - interval '1 day'`);
      await app.sql(`update follows set created_at = now() - interval '1 day'`);
      const ill = [{ check: 'home feeds', problems: ['1 feed lacks posts at or above the floor'], fixed: false }];
      expect(await doctor()).toMatchObject({ code: 1, ill });
      expect(await doctor('--fix')).toMatchObject({ code: 0, ill: [{ check: 'home feeds', fixed: true }] });
      const feed = await app.sql<{ status_id: string }>('select status_id from home_feed order by 1');
      expect(feed.map((row) => row.status_id)).toEqual(posts);
    });

    it('D8 finds a damaged schema, duplicate rows and failed jobs', async () => {
      const damaged = await startApp();
      try {
        await damaged.world.persons('alice', 'bob');
        await damaged.sql(`
          drop extension pg_trgm cascade;
          alter table statuses add constraint "short enough" check (length(content_html) < 9) not valid;
          update pg_index set indisvalid = false where indexrelid = 'statuses_quotes'::regclass;
          update pg_index set indisready = false where indexrelid = 'users_email'::regclass;
          update users set email = 'same@mail.test';
          update pg_index set indisready = true where indexrelid = 'users_email'::regclass;
          insert into jobs (name, queue, parked_at) values ('x', 'mail', now())`);
        const { code, out, err } = await on(damaged.address, 'doctor', '--fix');
        expect({ code, err }).toEqual({ code: 1, err: 'Something is wrong with 5 things.' });
        expect(out.split('\n').filter((line) => !line.startsWith('ok '))).toEqual([
          'WRONG  extensions: pg_trgm is missing: run "create extension pg_trgm" as a superuser',
          'WRONG  indexes: statuses_quotes is not valid: run "reindex index concurrently statuses_quotes"',
          'WRONG  constraints: statuses.short enough was never checked: validate it',
          'WRONG  unique rows: users_email: 1 value stands in several rows; remove the surplus and reindex',
          'WRONG  failed jobs: 1 job: see "jobs list" and "jobs retry"',
        ]);
      } finally {
        await damaged.close();
      }
    });
  });

  it('jobs shows failed jobs and retries them, none of them twice', async () => {
    expect(await outputOf('jobs', 'list')).toBe('No failed jobs.');
    await app.sql(`insert into jobs (name, queue, key, attempts, parked_at, last_error) values
      ('a', 'mail', null, 10, '2026-01-01T10:00:00Z', 'refused' || chr(10) || 'in detail'),
      ('b', 'mail', 'asked again', 10, now(), null), ('b', 'mail', 'asked again', 0, null, null),
      ('c', 'mail', 'failed twice', 10, now(), null), ('c', 'mail', 'failed twice', 10, now(), null)`);
    expect((await outputOf('jobs', 'list')).split('\n')[1]).toMatch(/^\d+ +a +10 +2026-01-01T10:00:00\.000Z +refused$/);
    const failed = JSON.parse(await outputOf('jobs', 'list', '--json')) as { id: string; name: string }[];
    expect(failed.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'c']);
    expect(failed).toMatchObject([{ request_id: null }, {}, {}, {}]);
    const [, superseded, first, second] = failed;
    expect(await outputOf('jobs', 'drop', first!.id)).toBe('c was dropped.');
    expect(await outputOf('jobs', 'retry', '--id', second!.id)).toBe('c will run again.');
    expect((await on(app.address, 'jobs', 'retry', '--id', superseded!.id)).code).toBe(1);
    expect((await on(app.address, 'jobs', 'drop', second!.id)).code).toBe(1);
    expect(await outputOf('jobs', 'retry')).toBe('1 job will run again.');
    expect(await outputOf('jobs', 'retry')).toBe('0 jobs will run again.');
    const log = await app.sql<{ message: string }>('select message from moderation_log order by id');
    expect(log.filter(({ message }) => message.endsWith('let all failed jobs run again (1)'))).toHaveLength(1);
    const waiting = await app.sql<{ name: string }>(
      `select name from jobs where parked_at is null and attempts = 0 order by id`,
    );
    expect(waiting.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  });

  it('hosts shows servers that are not reached, and lets one be tried again', async () => {
    expect(await outputOf('hosts', 'list')).toBe('Nothing waits for another server.');
    await app.sql(`insert into hosts (host, state, unreachable_since, last_error) values
      ('far.test', 'dead', '2026-01-01T10:00:00Z', 'timeout'), ('near.test', 'ok', null, null)`);
    const [heading, row, ...more] = (await outputOf('hosts', 'list')).split('\n');
    expect([heading, ...more]).toEqual([expect.stringMatching(/^HOST +STATE +WAITING/)]);
    expect(row).toMatch(/^far\.test +dead +0 +2026-01-01T10:00:00\.000Z +- +timeout$/);
    expect(JSON.parse(await outputOf('hosts', 'list', '--json'))).toMatchObject([
      { host: 'far.test', state: 'dead', last_error: 'timeout' },
    ]);
    expect(await outputOf('hosts', 'retry', 'FAR.test')).toBe('FAR.test will be tried again.');
    expect(await outputOf('hosts', 'list')).toBe('Nothing waits for another server.');
    expect(await ctl('hosts', 'retry', 'https://far.test/')).toEqual(failed('There is no host https://far.test/.'));
    expect(await app.sql('select host from hosts order by host')).toEqual([
      { host: 'far.test' },
      { host: 'near.test' },
    ]);
    expect(await app.sql('select message from moderation_log')).toHaveLength(1);
  });

  it('config shows and changes settings, also those of the running server', async () => {
    expect(await outputOf('config', 'get', 'instance.limit')).toBe('5000');
    expect(await outputOf('config', 'set', 'instance.name', 'Our place')).toBe('instance.name = "Our place"');
    expect(await outputOf('config', 'set', 'instance.limit', '700')).toBe('instance.limit = 700');
    await app.drain();
    await app.get(SettingsService).settled();
    const { body } = (await app.http.get('/api/v1/instance').expect(200)) as { body: object };
    expect(body).toMatchObject({ title: 'Our place', max_toot_chars: 700 });
    expect(await outputOf('config', 'dump')).toMatch(/^\* {2}instance\.name +"Our place"$/m);
    expect(await outputOf('config', 'reset', 'instance.limit')).toBe('instance.limit = 5000');
    const dumped = JSON.parse(await outputOf('config', 'dump', '--json')) as object[];
    expect(dumped).toContainEqual({ path: 'instance.limit', value: 5000, default: 5000, stored: false });
  });

  it('config refuses unknown settings and invalid values', async () => {
    const [unknown, misfit, reset] = await Promise.all([
      ctl('config', 'get', 'instance.weather'),
      ctl('config', 'set', 'instance.limit', '"many"'),
      ctl('config', 'reset', 'instance.weather'),
    ]);
    expect(unknown).toEqual(failed('instance.weather is not a setting.'));
    expect(misfit.err).toMatch(/^instance\.limit must be an integer from [^\n]*$/);
    expect(reset).toEqual(failed('instance.weather is not a setting'));
    expect(await app.sql('select from config_items')).toEqual([]);
  });

  it('feeds rebuilds one feed and trims all', async () => {
    await app.world.persons('alice', 'reader');
    await app.world.follow('reader', 'alice');
    const posts = await makeStatuses(app, 'alice', 1_100);
    const rows = () => app.sql<{ status_id: string }>('select status_id from home_feed order by status_id');
    const floor = () => app.sql('select feed_floor from users where account_id = $1', [app.world.id('reader')]);
    const kept = posts.slice(-800);
    expect(await outputOf('feeds', 'rebuild', 'reader')).toBe('The home feed of reader is made anew.');
    expect((await rows()).map((row) => row.status_id)).toEqual(kept);
    expect(await floor()).toEqual([{ feed_floor: kept[0] }]);
    await app.sql('delete from home_feed');
    await fillFeed(app, 'reader', posts);
    expect(await outputOf('feeds', 'trim')).toBe('The home feeds are trimmed.');
    expect((await rows()).map((row) => row.status_id)).toEqual(kept);
    expect(await ctl('feeds', 'rebuild', 'nobody')).toEqual(failed('Nobody here is called nobody.'));
  });

  it('starts the bundled database when it is not running, and stops it again', async () => {
    const scratch = new Scratch();
    try {
      const dataDir = await scratch.stoppedDatabase();
      expect(await runCtl({ DATA_DIR: dataDir }, 'migrate')).toMatchObject({ code: 0, err: '' });
      expect(postmasterOf(dataDir)).toBeUndefined();
    } finally {
      await scratch.remove();
    }
  });
});
