import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { createBackup, ScheduledBackupsService } from '../../../src/backup/index.js';
import { BucketFiles } from '../../../src/backup/file/copy-place.js';
import { type DataFile, dataFiles } from '../../../src/backup/file/data-files.js';
import { ObjectPlace } from '../../../src/backup/place/object-place.js';
import { BORROWERS_LOCK, LockSession, SERVER_LOCKS } from '../../../src/platform/database/advisory-lock.js';
import { parseBucketUrl, serverSession } from '../../../src/platform/index.js';
import { PART_BYTES } from '../../../src/platform/index.js';
import { picture } from '../../support/fixtures/media-files.js';
import { upload } from '../../support/fixtures/uploads.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { runCtl, runCtlUntil, urlOf } from '../../support/servers/ctl.js';
import { makeDatabase } from '../../support/servers/database.js';
import { S3_KEY_ID, S3_SECRET, useS3 } from '../../support/servers/s3.js';

const folder = mkdtempSync(join(tmpdir(), 'svc-files-'));
afterAll(() => rmSync(folder, { recursive: true }));

const s3 = useS3();

/** The contents of all objects below a folder by their keys. */
async function objects(below: string): Promise<Record<string, string>> {
  const store = s3.store(below);
  const found: Record<string, string> = {};
  for await (const { key, size } of store.list(''))
    found[key] = size === 0 ? '' : (await store.bytes(key, { start: 0, end: size - 1 }))!.toString('base64');
  return found;
}

function filesOn(dataDir: string): Record<string, string> {
  const folders = ['media', 'emoji', 'archives', 'frontends'].map((name) => join(dataDir, name));
  const list = execFileSync('find', [...folders, '-type', 'f', '-not', '-path', '*/.drafts/*'], { encoding: 'utf8' });
  const paths = list.split('\n').filter((path) => path !== '');
  return Object.fromEntries(
    paths.map((path) => [path.slice(dataDir.length + 1), execFileSync('base64', ['-w0', path], { encoding: 'utf8' })]),
  );
}

describe('media move', () => {
  const KEYS = { AWS_ACCESS_KEY_ID: S3_KEY_ID, AWS_SECRET_ACCESS_KEY: S3_SECRET };
  let database: Awaited<ReturnType<typeof makeDatabase>>;
  let dataDir: string;
  beforeAll(async () => {
    database = await makeDatabase();
  });
  afterAll(() => database.drop());
  const write = (path: string, content: Buffer | string, age = 7_200) => {
    const full = join(dataDir, path);
    mkdirSync(join(full, '..'), { recursive: true });
    writeFileSync(full, content);
    utimesSync(full, Date.now() / 1_000 - age, Date.now() / 1_000 - age);
  };
  const move = (env: Record<string, string>, ...args: string[]) =>
    runCtl({ DATABASE_URL: urlOf(database.address), DATA_DIR: dataDir, ...KEYS, ...env }, 'media', 'move', ...args);

  beforeEach(() => {
    dataDir = mkdtempSync(join(folder, 'data-'));
    for (const name of ['media', 'emoji', 'archives', 'frontends', 'static', 'cache']) mkdirSync(join(dataDir, name));
    for (let at = 0; at < 30; at += 1) write(`media/${at % 3}/${at}.png`, randomBytes(at * 50));
    write('emoji/Tea time/cup+1.png', 'cup');
    write('emoji/Tea time/.cup.png.0123456789abcdef.still.webp', 'still');
    write('archives/backups/x.zip', 'zip');
    write('frontends/app/1.0/assets/Index-B.js', 'script');
    write('media/.drafts/draft', 'draft');
    write('static/robots.txt', 'stays');
  });

  it('goes on after a break, in both directions, copies what came meanwhile, and removes only what it is asked to', async () => {
    const url = s3.url('moved');
    let sent = 0;
    s3.filter((request) => !request.startsWith('PUT') || (sent += 1) < 12);
    const broken = await move({}, url);
    expect(broken.code).toBe(1);
    expect(broken.err).toMatch(/The storage of files does not answer/);
    expect(broken.out + broken.err).not.toContain(S3_SECRET);
    s3.comeBack();
    const [, copied, same] = /^(\d+) files copied, (\d+) there already\.$/m.exec((await move({}, url)).out) ?? [];
    expect([Number(copied) + Number(same), Number(same) >= 11]).toEqual([34, true]);
    expect(await objects('moved')).toEqual(filesOn(dataDir));

    write('media/0/new.png', 'new', 0);
    write('media/1/1.png', 'changed', 0);
    rmSync(join(dataDir, 'media/2/2.png'));
    write('frontends/app/1.0/assets/Index-B.js', 'SCRIPT', -5); // storages tell times in whole seconds
    const asked = s3.requests.length;
    expect((await move({}, url)).out).toMatch(/^3 files copied, 31 there already\.\nNext:/);
    expect(s3.requests.slice(asked).filter((request) => request.includes('list-type'))).toEqual([]);
    expect(Object.keys(await objects('moved'))).toHaveLength(35);
    write('media/0/newer.png', 'newer', 0);
    const last = s3.requests.length;
    expect((await move({}, url, '--remove-others')).out).toContain('1 file removed that the source does not have');
    expect(await objects('moved')).toEqual(filesOn(dataDir));
    // soon after the servers were asked, before a copy that may take hours
    const changes = s3.requests.slice(last).filter((request) => !/^(GET|HEAD) /.test(request));
    expect(changes.findIndex((request) => request.startsWith('PUT '))).toBe(1);

    // The server uses the bucket now: what is there stays, and what a pass before it did not copy comes.
    const store = s3.store('moved');
    await store.put('media/0/uploaded.png', Buffer.from('uploaded'));
    await store.remove(['media/0/3.png']);
    const refused = await move({ STORAGE_URL: url }, url, '--remove-others');
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('A server does not use the source')]);
    await store.put('media/1/1.png', Buffer.from('changed again'));
    write('media/0/late.png', 'late', 0);
    const live = await move({ STORAGE_URL: url }, url, '--remove-source');
    expect(live.out).toContain('2 files copied, 33 there already.');
    expect(live.out).toContain('media/1/1.png');
    expect(filesOn(dataDir)).toEqual({});
    const inBucket = await objects('moved');
    expect(Object.keys(inBucket)).toHaveLength(37);

    const back = await move({ STORAGE_URL: url }, 'disk');
    expect(back.out).toContain('37 files copied, 0 there already');
    expect(filesOn(dataDir)).toEqual(inBucket);
  });

  it('removes nothing that the server still uses', async () => {
    const refused = await move({}, s3.url('early'), '--remove-source');
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining('A server still stores its files elsewhere'),
    ]);
    expect(Object.keys(filesOn(dataDir))).toHaveLength(34);
  });

  it('asks the servers that run where they store their files', async () => {
    const url = s3.url('asked');
    expect((await move({}, url)).code).toBe(0);
    const beside = async (session: string, env: Record<string, string>, ...args: string[]) => {
      await using server = await LockSession.open(database.address, session);
      await server.tryShare(BORROWERS_LOCK);
      return await move(env, ...args);
    };
    const onDisk = serverSession({ dataDir, storage: undefined });
    const inBucket = serverSession({ dataDir, storage: parseBucketUrl(url) });
    const early = await beside(onDisk, { STORAGE_URL: url }, url, '--remove-source');
    expect([early.code, early.err]).toEqual([1, expect.stringContaining('A server still stores its files elsewhere')]);
    expect(Object.keys(filesOn(dataDir))).toHaveLength(34);
    await s3.store('asked').put('media/0/uploaded.png', Buffer.from('uploaded'));
    const elsewhere = serverSession({ dataDir: join(dataDir, 'link'), storage: undefined });
    for (const session of [inBucket, elsewhere, SERVER_LOCKS]) {
      const others = await beside(session, {}, url, '--remove-others');
      expect([others.code, others.err]).toEqual([1, expect.stringContaining('A server does not use the source')]);
      expect(await s3.keys('asked')).toHaveLength(35);
    }
    const removed = await beside(onDisk, { STORAGE_URL: url }, url, '--remove-others');
    expect(removed.out).toContain('1 file removed that the source does not have');
    const toDisk = await beside(onDisk, { STORAGE_URL: url }, 'disk', '--remove-others');
    expect([toDisk.code, toDisk.err]).toEqual([1, expect.stringContaining('A server does not use the source')]);
    expect((await beside(inBucket, {}, url, '--remove-source')).out).toContain('34 files removed from the source');
  });
});

describe('a server with its files in S3', () => {
  let app: TestApp;
  const backups = () => s3.url('backups/daily');
  const ctl = (...args: string[]) =>
    runCtl({ DATABASE_URL: urlOf(app.address), DATA_DIR: app.env.dataDir, ...s3.env('svc') }, ...args);

  beforeAll(async () => {
    app = await startApp({ ...s3.env('svc'), BACKUP_FOLDER: s3.url('backups/daily') });
    await app.world.person('alice', { admin: true });
    await upload(app, 'alice', await picture('png', 900, 700));
  });
  afterAll(() => app.close());

  it('backs up into a bucket, verifies it there, and restores into another bucket', async () => {
    const target = s3.url('backups/one.tar.zst');
    const created = await ctl('backup', 'create', target);
    expect([created.code, created.err]).toEqual([0, '']);
    expect(created.out).toContain('s3://files/backups/one.tar.zst');
    expect((await ctl('backup', 'create', target)).err).toContain('is there already');
    expect((await ctl('backup', 'verify', target)).out).toContain('The backup is complete');
    expect((await ctl('backup', 'verify', s3.url('backups/none'))).err).toContain('cannot be read');

    const database = await makeDatabase('template1');
    const dataDir = mkdtempSync(join(folder, 'restored-'));
    const env = { DATABASE_URL: urlOf(database.address), DATA_DIR: dataDir, ...s3.env('restored') };
    try {
      expect((await runCtl(env, 'backup', 'restore', target)).out).toContain('were restored');
      expect(await objects('restored')).toEqual(await objects('svc'));
    } finally {
      await database.drop();
    }
  });

  it('begins an unfinished restore again only where it began before, and removes nothing elsewhere', async () => {
    const file = join(folder, 'whole.backup');
    expect((await ctl('backup', 'create', file)).code).toBe(0);
    const database = await makeDatabase('template1');
    const dataDir = join(folder, 'begun');
    const restore = (bucket: string) =>
      runCtl(
        { DATABASE_URL: urlOf(database.address), DATA_DIR: dataDir, ...s3.env(bucket) },
        'backup',
        'restore',
        file,
      );
    const isFile = (request: string) => /^PUT \/files\/begun\/media/.test(request);
    try {
      let sent = 0;
      s3.filter((request) => !isFile(request) || (sent += 1) < 2);
      expect((await restore('begun')).err).toContain('The storage of files does not answer');
      s3.comeBack();
      const begun = await s3.keys('begun');
      expect(begun).toContainEqual(expect.stringMatching(/^media\//));

      await s3.store('live').put('media/theirs.png', Buffer.from('theirs'));
      expect((await restore('live')).err).toContain('The bucket is not empty');
      expect(await s3.keys('live')).toEqual(['media/theirs.png']);

      renameSync(dataDir, `${dataDir}.away`);
      mkdirSync(join(dataDir, 'static'), { recursive: true });
      writeFileSync(join(dataDir, 'static', 'theirs.txt'), 'theirs');
      expect((await restore('begun')).err).toContain(`${dataDir} is not empty`);
      expect(existsSync(join(dataDir, 'static', 'theirs.txt'))).toBe(true);
      expect(await s3.keys('begun')).toEqual(begun);

      rmSync(dataDir, { recursive: true });
      renameSync(`${dataDir}.away`, dataDir);
      expect((await restore('begun')).out).toContain('were restored');
      expect(await objects('begun')).toEqual(await objects('svc'));
      expect(readdirSync(dataDir)).not.toContainEqual(expect.stringContaining('unfinished'));
    } finally {
      await database.drop();
    }
  });

  it('says what to do about a restore that an earlier version began, which left no mark beside its files', async () => {
    const file = join(folder, 'for-earlier.backup');
    expect((await ctl('backup', 'create', file)).code).toBe(0);
    const database = await makeDatabase('template1');
    const dataDir = join(folder, 'earlier');
    const env = { DATABASE_URL: urlOf(database.address), DATA_DIR: dataDir, ...s3.env('earlier') };
    const restore = () => runCtl(env, 'backup', 'restore', file);
    const client = new pg.Client(database.address);
    await client.connect();
    try {
      await client.query('create table unfinished_load (kind text not null, place text not null)');
      await client.query(`insert into unfinished_load values ('restore', $1)`, [dataDir]);
      mkdirSync(join(dataDir, 'static'), { recursive: true });
      writeFileSync(join(dataDir, 'static', 'cut-off.txt'), '');
      await s3.store('earlier').put('media/cut-off.png', Buffer.from(''));
      const advice = /An earlier version .* began .* remove .* and restore again/;
      for (const [place, remove] of [
        [dataDir, () => rmSync(join(dataDir, 'static'), { recursive: true })],
        ['The bucket', () => s3.store('earlier').remove(['media/cut-off.png'])],
      ] as const) {
        const { code, err } = await restore();
        expect([code, err]).toEqual([1, expect.stringContaining(`${place} is not empty`)]);
        expect(err).toMatch(advice);
        await remove();
      }
      expect((await restore()).out).toContain('were restored');
      expect(await objects('earlier')).toEqual(await objects('svc'));
    } finally {
      await client.end();
      await database.drop();
    }
  });

  it('backs up objects as they are when they are read, and none that changes meanwhile', async () => {
    const store = s3.store('changing');
    const listed = async () => {
      const { value } = await dataFiles('', store, () => undefined).next();
      return value as DataFile;
    };
    const read = async (file: DataFile) => {
      const opened = await file.open();
      return opened && [opened.size, (await buffer(opened.stream)).toString()];
    };
    for (const before of ['', 'short']) {
      await store.put('emoji/tea/pack.json', Buffer.from(before));
      const file = await listed();
      await store.put('emoji/tea/pack.json', Buffer.from('a longer one'));
      expect(await read(file)).toEqual([12, 'a longer one']);
    }
    const [former, newer] = ['a', 'b'].map((letter) => Buffer.alloc(PART_BYTES + 10, letter)) as [Buffer, Buffer];
    await store.put('emoji/tea/pack.json', former);
    const opened = await (await listed()).open();
    await store.put('emoji/tea/pack.json', newer);
    expect((await buffer(opened!.stream)).equals(former.subarray(0, PART_BYTES))).toBe(true);
    const replaced = await listed();
    const open = async () => {
      const content = await replaced.open();
      await store.put('emoji/tea/pack.json', former);
      return content;
    };
    const copy = new BucketFiles(s3.store('copied')).write({ ...replaced, ...replaced.facts!, open });
    await expect(copy).rejects.toThrow('was changed while it was read');
    const gone = await listed();
    await store.remove(['emoji/tea/pack.json']);
    expect(await gone.open()).toBeUndefined();
  });

  it('leaves nothing of a backup that broke off', async () => {
    let sent = 0;
    s3.filter((request) => !(request.startsWith('PUT') && request.includes('broken') && (sent += 1) > 0));
    const broken = await ctl('backup', 'create', s3.url('backups/broken'));
    expect([broken.code, broken.err]).toEqual([1, expect.stringContaining('The storage of files does not answer')]);
    expect(await s3.keys('backups')).not.toContain('broken');
    const place = new ObjectPlace(s3.store('backups', 5 * 1024 * 1024), 'stopped', 's3://stopped');
    const stopped = AbortSignal.abort(new Error('stopped'));
    const options = { address: app.address, env: app.env, store: null, place, signal: stopped };
    await expect(createBackup(options)).rejects.toThrow('stopped');
    expect(await s3.keys('backups')).not.toContain('stopped');
  });

  it('leaves nothing of a backup that the operator interrupts', async () => {
    const large = join(app.env.dataDir, 'static', 'large');
    mkdirSync(join(large, '..'), { recursive: true });
    writeFileSync(large, randomBytes(40 * 1024 * 1024)); // the parts of a backup have 32 MB
    const operator = new AbortController();
    const uploads: string[] = [];
    s3.filter(async (request) => {
      if (!request.includes('backups/interrupted')) return true;
      if (request.includes('partNumber=1')) operator.abort();
      if (request.startsWith('DELETE')) await delay(200); // the storage is slow
      if (request.startsWith('DELETE') || request.includes('uploads')) uploads.push(request.slice(0, 6));
      return true;
    });
    const variables = { DATABASE_URL: urlOf(app.address), DATA_DIR: app.env.dataDir, ...s3.env('svc') };
    const interrupted = await runCtlUntil(
      operator.signal,
      variables,
      'backup',
      'create',
      s3.url('backups/interrupted'),
    );
    rmSync(large);
    expect(interrupted.code).toBe(130);
    expect(uploads).toEqual(['POST /', 'DELETE']);
  });

  it('makes its daily backup there', async () => {
    await app.get(ScheduledBackupsService).make();
    await app.get(ScheduledBackupsService).make();
    expect(await s3.keys('backups/daily')).toHaveLength(1);
    const shown = await runCtl(
      { DATABASE_URL: urlOf(app.address), DATA_DIR: app.env.dataDir, ...s3.env('svc'), BACKUP_FOLDER: backups() },
      'backup',
      'schedule',
    );
    expect(shown.out).toContain('Each day (UTC) into s3://files/backups/daily/');
  });
});
