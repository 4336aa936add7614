import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { TRAILER } from '../../../src/backup/file/trailer.js';
import { schemaMaker } from '../../../src/migrate.js';
import type { DatabaseAddress } from '../../../src/platform/index.js';
import { ask } from '../../process/scratch.js';
import { makeStatuses } from '../../support/fixtures/factories.js';
import { post } from '../../support/fixtures/statuses.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { runCtl, urlOf } from '../../support/servers/ctl.js';
import { makeDatabase } from '../../support/servers/database.js';

const EMPTY = 'template1';
const folder = mkdtempSync(join(tmpdir(), 'svc-backup-'));
const inFolder = (name: string) => join(folder, name);
const keyFile = inFolder('key');
writeFileSync(keyFile, randomBytes(32).toString('hex'));

let app: TestApp;
const dropped: (() => Promise<void>)[] = [];
beforeAll(async () => {
  app = await startApp();
  await app.world.person('admin', { admin: true });
  expect(await ctl('demo', 'fill')).toMatchObject({ code: 0, err: '' });
  await app.drain();
  await makeStatuses(app, ['admin'], 20_000, { text: 'a tab\t, a \\ and a line\nbreak' }); // more than one part
  await ctl('doctor', '--fix');
  mkdirSync(join(app.env.dataDir, 'static', 'a folder'), { recursive: true });
  writeFileSync(join(app.env.dataDir, 'static', 'a folder', 'übung.txt'), 'by the operator');
});
afterAll(async () => {
  for (const drop of dropped) await drop();
  await app.close();
  rmSync(folder, { recursive: true });
});

const ctl = (...args: string[]) => runCtl(app.variables, ...args);

/** An empty database and a DATA_DIR that is not there yet. */
async function emptyPlace() {
  const database = await makeDatabase(EMPTY);
  dropped.push(() => database.drop());
  const dataDir = mkdtempSync(join(folder, 'place-'));
  const on = (...args: string[]) =>
    runCtl({ DATABASE_URL: urlOf(database.address), DATA_DIR: dataDir, BASE_URL: app.env.baseUrl }, ...args);
  return { address: database.address, dataDir, ctl: on };
}

/** All rows of all tables as texts, and the values of the sequences. */
async function contentOf(address: DatabaseAddress): Promise<Record<string, unknown>> {
  const client = new pg.Client(address);
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'migrations'`,
    );
    const content: Record<string, unknown> = {};
    for (const { name } of tables.rows) {
      const { rows } = await client.query<{ row: string }>(`select t::text as row from "${name}" t order by t::text`);
      content[name] = rows.map(({ row }) => row);
    }
    const migrations = await client.query<{ name: string }>('select name from migrations order by id');
    content['migrations'] = migrations.rows.map(({ name }) => name);
    const sequences = await client.query(
      `select sequencename, last_value from pg_sequences where sequencename <> 'migrations_id_seq' order by 1`,
    );
    return { ...content, sequences: sequences.rows };
  } finally {
    await client.end();
  }
}

/** The files of DATA_DIR by their paths. */
function filesOf(dataDir: string): string {
  const folders = ['media', 'emoji', 'archives', 'static'].filter((name) => existsSync(join(dataDir, name)));
  const find = `find ${folders.join(' ')} -type f -not -path '*/.drafts/*' -exec sha256sum {} + | sort`;
  return execFileSync('sh', ['-c', find], { cwd: dataDir, encoding: 'utf8' });
}

describe.each([
  ['plain', [] as string[]],
  ['encrypted', ['--key-file', keyFile]],
])('a backup that is %s', (kind, key) => {
  const file = inFolder(`${kind}.backup`);

  it('restores every row, sequence and file in another place', async () => {
    const made = await ctl('backup', 'create', file, ...key);
    expect(made).toMatchObject({ code: 0, err: '' });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(existsSync(`${file}.partial`)).toBe(false);
    expect(await ctl('backup', 'verify', file, ...key)).toMatchObject({
      code: 0,
      out: expect.stringContaining('The backup is complete'),
    });
    const place = await emptyPlace();
    expect(await place.ctl('backup', 'restore', file, ...key)).toMatchObject({ code: 0, err: '' });
    expect(await contentOf(place.address)).toEqual(await contentOf(app.address));
    expect(filesOf(place.dataDir)).toBe(filesOf(app.env.dataDir));
    expect(filesOf(place.dataDir)).toContain('übung.txt');
    expect(await place.ctl('doctor')).toMatchObject({ code: 0 });
  });

  it('is found damaged when it was cut off or one byte was changed', async () => {
    const copy = inFolder(`${kind}.copy`);
    const size = statSync(file).size;
    const bytes = readFileSync(file);
    for (const length of [size - 1, size - 70_000, Math.floor(size / 2), 100]) {
      copyFileSync(file, copy);
      truncateSync(copy, length);
      expect(await ctl('backup', 'verify', copy, ...key)).toMatchObject({
        code: 1,
        err: expect.stringMatching(/^The backup is damaged|^This key/),
      });
    }
    for (const at of [60, Math.floor(size / 3), Math.floor(size / 2), size - 10]) {
      const changed = Buffer.from(bytes);
      changed[at] = changed[at]! ^ 1;
      writeFileSync(copy, changed);
      expect(await ctl('backup', 'verify', copy, ...key)).toMatchObject({
        code: 1,
        err: expect.stringMatching(/^The backup is damaged|^This key/),
      });
    }
  });

  it('is refused by every place that is not empty', async () => {
    expect((await ctl('backup', 'restore', file, ...key)).err).toContain(`${app.env.dataDir} is not empty`);
    const used = await emptyPlace();
    expect(await used.ctl('migrate')).toMatchObject({ code: 0 });
    expect(await used.ctl('backup', 'restore', file, ...key)).toMatchObject({
      code: 1,
      err: expect.stringContaining('The database is not empty'),
    });
    const filled = await emptyPlace();
    mkdirSync(join(filled.dataDir, 'media'));
    writeFileSync(join(filled.dataDir, 'media', 'mine.png'), '');
    expect(await filled.ctl('backup', 'restore', file, ...key)).toMatchObject({
      code: 1,
      err: expect.stringContaining('mine.png'),
    });
    expect(await ctl('backup', 'create', file)).toMatchObject({ code: 1, err: `${file} is there already.` });
  });
});

it('an encrypted backup needs its key, and shows nothing without it', async () => {
  const file = inFolder('encrypted.backup');
  const other = inFolder('other.key');
  writeFileSync(other, randomBytes(32).toString('base64'));
  expect((await ctl('backup', 'verify', file)).err).toBe(`${file} is encrypted: give the key with --key-file.`);
  expect((await ctl('backup', 'verify', file, '--key-file', other)).err).toMatch(/^This key does not open the backup/);
  expect(readFileSync(file).includes('manifest.json')).toBe(false);
  const dataDir = inFolder('nothing');
  const restored = await runCtl({ DATA_DIR: dataDir }, 'backup', 'restore', file, '--key-file', other);
  expect(restored).toMatchObject({ code: 1, err: expect.stringMatching(/^This key does not open the backup/) });
  expect(existsSync(dataDir)).toBe(false); // no database was made for it
});

it('tar and zstd open a plain backup without this program', () => {
  const file = inFolder('plain.backup');
  const open = `mkdir -p opened && zstd -dc ${file} | tar -x -C opened && cd opened && cat sums/* | sha256sum --check --quiet`;
  execFileSync('sh', ['-c', open], { cwd: folder });
  const manifest = JSON.parse(readFileSync(join(folder, 'opened/manifest.json'), 'utf8')) as Record<string, unknown>;
  expect(manifest).toMatchObject({ format: 1, baseUrl: app.env.baseUrl });
  expect(readFileSync(join(folder, 'opened/files/static/a folder/übung.txt'), 'utf8')).toBe('by the operator');
});

/** A copy of the plain backup in which one of its files is another. */
function changedBackup(name: string, change: (content: Buffer) => Buffer): string {
  const [file, damaged, opened] = [inFolder('plain.backup'), inFolder('refused.backup'), inFolder('refused')];
  execFileSync('sh', ['-c', `rm -rf refused && mkdir refused && zstd -dc ${file} | tar -x -C refused`], {
    cwd: folder,
  });
  writeFileSync(join(opened, name), change(readFileSync(join(opened, name))));
  const close = `zstd -qdc ${file} | tar -t | tar -c -C refused --no-recursion -T - | zstd -q --check`;
  const packed = execFileSync('sh', ['-c', close], { cwd: folder, maxBuffer: 1e9 });
  writeFileSync(damaged, Buffer.concat([packed, TRAILER]));
  return damaged;
}

type MadeManifest = Record<'migrations' | 'tables', Record<string, unknown>[]>;

it.each<[string, (manifest: MadeManifest) => unknown, string]>([
  ['a hole in its migrations', ({ migrations }) => migrations.splice(0, 1), 'its list of migrations cannot be loaded'],
  ['no migrations', ({ migrations }) => migrations.splice(0), 'has a table \\S+ that no migration of ours makes'],
  ['an unknown column', ({ tables }) => tables.forEach((table) => (table['columns'] = ['"'])), 'cannot be loaded'],
  [
    'a column of the system',
    ({ tables }) => tables.forEach((table) => (table['columns'] = ['ctid'])),
    'cannot be loaded',
  ],
])('a manifest with %s is called damaged, without a stack', async (_, change, problem) => {
  const damaged = changedBackup('manifest.json', (content) => {
    const manifest = JSON.parse(content.toString()) as MadeManifest;
    change(manifest);
    return Buffer.from(JSON.stringify(manifest));
  });
  const { code, err } = await (await emptyPlace()).ctl('backup', 'restore', damaged);
  expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(new RegExp(`^The backup .*${problem}.*\\.$`)) });
});

it('rows that the database refuses are called damaged, and the place can be filled by another backup', async () => {
  const file = inFolder('plain.backup');
  const damaged = changedBackup('database/statuses/000001.copy', (rows) =>
    Buffer.concat([Buffer.from('no row\n'), rows]),
  );
  const place = await emptyPlace();
  expect(await place.ctl('backup', 'restore', damaged)).toEqual({
    code: 1,
    out: '',
    err: expect.stringMatching(/^The backup is damaged or incomplete: the rows of statuses cannot be loaded \(.*\)\.$/),
  });
  expect(await place.ctl('backup', 'restore', file)).toMatchObject({ code: 0, err: '' });
  expect(await contentOf(place.address)).toEqual(await contentOf(app.address));
});

it('a backup of an older version is brought up to date, and one of a newer version is refused', async () => {
  const older = await emptyPlace();
  await schemaMaker.make(older.address, schemaMaker.known.slice(0, -3));
  await ask(
    older.address,
    `insert into accounts (id, nickname, ap_id) values ('a', 'alice', 'https://svc.test/users/alice')`,
  );
  const file = inFolder('older.backup');
  expect(await older.ctl('backup', 'create', file)).toMatchObject({ code: 0 });
  const place = await emptyPlace();
  const restored = await place.ctl('backup', 'restore', file);
  expect(restored).toMatchObject({
    code: 0,
    out: expect.stringContaining('3 migrations brought the database up to date.'),
  });
  expect(await place.ctl('doctor')).toMatchObject({ code: 0, out: expect.stringContaining('ok     migrations') });
  expect(await ask(place.address, 'select nickname from accounts')).toEqual([{ nickname: 'alice' }]);

  await ask(older.address, `insert into migrations ("timestamp", name) values (9999999999999, 'Later9999999999999')`);
  const newer = inFolder('newer.backup');
  expect(await older.ctl('backup', 'create', newer)).toMatchObject({ code: 0 });
  const refused = await (await emptyPlace()).ctl('backup', 'restore', newer);
  expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(/^A newer program .*\(Later9999999999999\)/) });
});

it('holds one moment while people go on to write', async () => {
  const admin = await app.world.as('admin');
  let goesOn = true;
  const ids: string[] = [];
  const write = async () => {
    while (goesOn) ids.push((await post(app, 'admin', `number ${ids.length}`)).id);
  };
  const writers = [write(), write()];
  while (ids.length < 5) await admin.get('/api/v1/instance');
  const before = [...ids];
  const file = inFolder('busy.backup');
  const made = await ctl('backup', 'create', file);
  goesOn = false;
  await Promise.all(writers);
  expect(made).toMatchObject({ code: 0 });
  const place = await emptyPlace();
  expect(await place.ctl('backup', 'restore', file)).toMatchObject({ code: 0, err: '' });
  const content = await contentOf(place.address);
  const statuses = (content['statuses'] as string[]).join('\n');
  expect(before.filter((id) => !statuses.includes(id))).toEqual([]);
  expect(await place.ctl('doctor')).toMatchObject({ code: 0 }); // the counters fit the rows
});
