import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { NestExpressApplication } from '@nestjs/platform-express';
import supertest from 'supertest';
import { UploadedFile } from '../../../src/common/index.js';
import { PackFilesService, PacksService } from '../../../src/emoji/index.js';
import { NO_METADATA } from '../../../src/emoji/packs/pack.manifest.js';
import { PackStore } from '../../../src/emoji/packs/pack.store.js';
import { FrontendsService } from '../../../src/instance/index.js';
import { AttachmentsService } from '../../../src/media/index.js';
import { StorageError } from '../../../src/platform/index.js';
import { createApp } from '../../../src/server.js';
import { picture } from '../../support/fixtures/media-files.js';
import { pathOf, sendFile, upload } from '../../support/fixtures/uploads.js';
import { holding } from '../../support/locks.js';
import { unzipped, zipOf } from '../../support/fixtures/zip.js';
import { runCtl, urlOf } from '../../support/servers/ctl.js';
import { useApp } from '../../support/servers/app.js';
import { S3_SECRET, useS3 } from '../../support/servers/s3.js';

/** Does the work at a time in the future. */
async function inHours(hours: number, work: () => Promise<unknown>): Promise<void> {
  const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + hours * 3_600_000);
  try {
    await work();
  } finally {
    clock.mockRestore();
  }
}

describe('files in S3', () => {
  const s3 = useS3();
  const app = useApp({ people: ['alice'], env: () => s3.env('svc') });
  let second: NestExpressApplication;
  let elsewhere: ReturnType<typeof supertest>;
  let dataDir: string;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 's3-second-'));
    second = await createApp({ ...app.env, dataDir }, app.address);
    await second.listen(0, '127.0.0.1');
    elsewhere = supertest(second.getHttpServer());
  });
  afterAll(async () => {
    await second.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('are served by another server without a shared folder, whole and in parts, with the same headers', async () => {
    const content = await picture('png', 120, 80);
    const { id, url } = await upload(app, 'alice', content);
    await (await app.world.as('alice')).post('/api/v1/statuses', { status: 'look', media_ids: [id] }).expect(200);
    const answer = await elsewhere.get(pathOf(url)).expect(200);
    expect(answer.body).toEqual(content);
    expect(answer.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(content.length),
      'content-disposition': 'inline',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/^sandbox;/),
      'cache-control': 'public, max-age=1209600, immutable',
      'accept-ranges': 'bytes',
    });
    const part = await elsewhere.get(pathOf(url)).set('Range', 'bytes=5-9').expect(206);
    expect(part.body).toEqual(content.subarray(5, 10));
    expect(part.headers['content-range']).toBe(`bytes 5-9/${content.length}`);
    await elsewhere.get(pathOf(url)).set('Range', 'bytes=999999-').expect(416);
    await elsewhere.get(pathOf(url)).set('If-None-Match', answer.headers['etag']!).expect(304);
    await elsewhere.head(pathOf(url)).expect(200);
    await elsewhere.get('/media/00/00000000000000000000000000000000.png').expect(404);
    expect(existsSync(join(app.env.dataDir, 'media'))).toBe(false);
    expect(await readdir(join(app.env.dataDir, 'uploads'))).toEqual([]);
  });

  it('are removed by the sweep when they are in no post', async () => {
    const before = await s3.keys('svc/media');
    await upload(app, 'alice', await picture('png', 900, 700));
    expect(await s3.keys('svc/media')).toHaveLength(before.length + 2); // with its small picture
    await app.sql("update attachments set created_at = now() - interval '25 hours'");
    await app.get(AttachmentsService).sweep();
    await app.drain();
    expect(await s3.keys('svc/media')).toEqual(before);
  });

  it('D1 are neither stored nor half stored while the storage is away', async () => {
    const stored = await upload(app, 'alice');
    const before = await s3.keys('svc/media');
    const refuse = async (lost: RegExp) => {
      s3.filter((request) => !lost.test(request));
      const answer = await sendFile(app, 'alice', await picture('png', 900, 700));
      expect([answer.status, answer.body]).toEqual([503, { error: 'The files cannot be reached at the moment' }]);
      expect(answer.headers['retry-after']).toBe('30');
      expect(await app.sql('select id::text from attachments')).toEqual([{ id: stored.id }]);
    };
    await refuse(/PUT/); // the file
    await refuse(/PUT .*webp/); // its thumbnail, after the file was stored
    s3.goAway();
    await app.http.get(pathOf(stored.url)).expect(503);
    s3.comeBack();
    await app.drain();
    expect(await s3.keys('svc/media')).toEqual(before);
    expect(await readdir(join(app.env.dataDir, 'uploads'))).toEqual([]);
    expect((await app.http.get('/metrics').expect(200)).text).toMatch(/^svc_storage_failures_total [1-9]/m);
  });

  it('are emoji, web apps and archives of another server too, which reads the first two through its cache', async () => {
    const cup = await picture();
    const path = join(app.env.dataDir, 'cup.png');
    await writeFile(path, cup);
    await app.get(PacksService).create('Tea time');
    await app
      .get(PackFilesService)
      .add('Tea time', { file: new UploadedFile(path, 'cup.png', 'image/png', cup.length) });
    const files = ['index.html', 'Logo.svg', 'old.js'].map((name) => ({ name, content: Buffer.from(`of ${name}`) }));
    const build = { name: 'app', ref: '1.0' };
    await app.get(FrontendsService).install({ ...build, file: zipOf(files) });
    const there = second.get(FrontendsService, { strict: false });
    expect(await there.list()).toContainEqual(expect.objectContaining({ name: 'app', installed_refs: ['1.0'] }));
    for (const lets of [true, false]) {
      s3.filter(() => lets);
      expect((await elsewhere.get('/emoji/Tea%20time/cup.png').expect(200)).body).toEqual(cup);
      expect(await there.index(build)).toBe('of index.html');
    }
    s3.comeBack();

    const alice = await app.world.as('alice');
    await alice.post('/api/v1/svc/backups').expect(200);
    await app.drain();
    const [archive] = (await alice.get('/api/v1/svc/backups').expect(200)).body as { url: string; file_size: number }[];
    const answer = await elsewhere.get(pathOf(archive!.url)).buffer(true).responseType('blob').expect(200);
    expect((answer.body as Buffer).length).toBe(archive!.file_size);
    expect(answer.headers['cache-control']).toBe('private, no-store');

    await app.get(PacksService).remove('Tea time');
    expect(await s3.keys('svc/emoji')).toEqual([]);
    expect((await readdir(join(dataDir, 'cache'))).length).toBeGreaterThan(0);
  });

  it('are changed and packed by another server as they are, also pictures that it has in its cache', async () => {
    const [former, cup] = [await picture('png', 7, 7), await picture()];
    const path = join(app.env.dataDir, 'cup.png');
    const add = async (content: Buffer) => {
      await writeFile(path, content);
      const file = new UploadedFile(path, 'cup.png', 'image/png', content.length);
      await app.get(PackFilesService).add('Changed', { file });
    };
    await app.get(PacksService).create('Changed');
    await app.get(PacksService).describe('Changed', { shareFiles: true });
    await add(former);
    expect((await elsewhere.get('/emoji/Changed/cup.png').expect(200)).body).toEqual(former);
    await app.get(PackFilesService).remove('Changed', 'cup');
    await add(cup);
    const packed = () =>
      elsewhere.get('/api/v1/svc/emoji/packs/archive?name=Changed').buffer(true).responseType('blob');
    expect((await unzipped((await packed().expect(200)).body as Buffer)).get('cup.png')).toEqual(cup);
    const there = second.get(PackFilesService, { strict: false });
    const names = { shortcode: 'cup', newShortcode: 'mug', newFilename: 'mug.png', force: false };
    expect([...(await there.rename('Changed', names)).keys()]).toEqual(['mug']);
    expect((await app.http.get('/emoji/Changed/mug.png').expect(200)).body).toEqual(cup);
    await app.get(PacksService).remove('Changed');
  });

  it('D1 give a pack its checksum again after a read that failed, and refuse no archive for it', async () => {
    await s3.store('svc').put('emoji/shared/cup.png', await picture());
    await app
      .get(PackStore)
      .save('shared', { files: new Map([['cup', 'cup.png']]), metadata: { ...NO_METADATA, shareFiles: true } });
    const pack = async (status: number) =>
      (await app.http.get('/api/v1/svc/emoji/pack?name=shared').expect(status)).body as { pack: object };
    s3.filter((request) => !/GET .*cup\.png/.test(request));
    await pack(503);
    await app.http.get('/api/v1/svc/emoji/packs/archive?name=shared').expect(503);
    s3.comeBack();
    expect((await pack(200)).pack).toMatchObject({ 'can-download': true });
    await app.get(PacksService).remove('shared');
  });

  it('bring back no half-removed pack on import, and leave its name free', async () => {
    await s3.store('svc').put('emoji/half/cup.png', await picture());
    await app.sql("insert into custom_emojis (shortcode, pack, file) values ('cup', 'half', 'cup.png')");
    const packs = app.get(PacksService);
    const stored = async () => (await s3.keys('svc/emoji')).filter((key) => key.startsWith('half/'));
    expect(await packs.importFromDisk()).toEqual([]);
    expect([await stored(), await packs.emoji()]).toEqual([['half/cup.png'], []]);
    await packs.create('half');
    expect(await stored()).toEqual(['half/pack.json']);
    await expect(packs.create('half')).rejects.toThrow('already exists');
    await packs.remove('half');
  });

  it('keep a pack that is made while a former one of its name is being removed', async () => {
    await app.get(PacksService).create('again');
    const packs = app.get(PackStore);
    const removeFormer = await packs.detach('again');
    await app.get(PacksService).create('again');
    await removeFormer();
    expect(await packs.names()).toContain('again');
    await app.get(PacksService).remove('again');
  });

  it('are those of the former build until a new one of its version is whole', async () => {
    const build = { name: 'tea', ref: '1.0' };
    const frontends = app.get(FrontendsService);
    const install = (content: string, ...more: string[]) => {
      const files = ['index.html', 'logo.svg', ...more].map((name) => ({ name, content: Buffer.from(content) }));
      return frontends.install({ ...build, file: zipOf(files) });
    };
    const served = async (path: string) => {
      const file = await (await frontends.files(build)).open(path);
      return file && text(file.stream);
    };
    await install('old', 'old.js');
    s3.filter((request) => !/PUT .*index/.test(request));
    await expect(install('new')).rejects.toThrow(StorageError);
    s3.comeBack();
    expect(await Promise.all(['index.html', 'logo.svg', 'old.js'].map(served))).toEqual(['old', 'old', 'old']);
    const former = await frontends.files(build);
    await install('new');
    expect(await text((await former.open('index.html'))!.stream)).toBe('old'); // a request that began before
    expect(await Promise.all(['index.html', 'logo.svg', 'old.js'].map(served))).toEqual(['new', 'new', undefined]);
    await inHours(2, () => install('newer'));
    const keys = (await s3.keys('svc/frontends/tea')).map((key) => key.split('/').at(-1));
    expect(keys.sort()).toEqual(['.current', 'index.html', 'index.html', 'logo.svg', 'logo.svg']);
  });

  it('lose packs that a killed process left without their pack.json', async () => {
    const store = s3.store('svc');
    await app.get(PacksService).create('whole');
    await store.put('emoji/left/cup.png', await picture());
    const emoji = async () => (await s3.keys('svc/emoji')).filter((key) => /^(left|whole)/.test(key));
    const packs = app.get(PacksService);
    await holding(app, async (holder) => {
      await holder.query("select pg_advisory_xact_lock(hashtextextended('emoji packs', 0))");
      await packs.removeUnfinished(); // looks for them without the lock of all packs
    });
    expect(await emoji()).toEqual(['left/cup.png', 'whole/pack.json']);
    await inHours(25, async () => {
      await app.get(PackStore).removeUnfinished('whole'); // it was made since it was found
      await packs.removeUnfinished();
    });
    expect(await emoji()).toEqual(['whole/pack.json']);
  });

  it('are told to be away by the probe and by doctor', async () => {
    expect((await elsewhere.get('/health/ready').expect(200)).body).toEqual({ status: 'ok', storage: 'ok' });
    s3.goAway();
    expect((await app.http.get('/health/ready').expect(200)).body).toEqual({ status: 'ok', storage: 'unavailable' });
    const env = { DATABASE_URL: urlOf(app.address), DATA_DIR: app.env.dataDir, ...s3.env('svc') };
    const { code, out } = await runCtl(env, 'doctor');
    expect([code, out]).toEqual([1, expect.stringContaining('The storage of files does not answer: ')]);
  });

  it('keep the secret to themselves', async () => {
    s3.goAway();
    const answers = await Promise.all([
      sendFile(app, 'alice', await picture()),
      app.http.get('/media/00/00000000000000000000000000000000.png'),
      app.http.get('/health/ready'),
    ]);
    for (const { text, headers } of answers) expect(text + JSON.stringify(headers)).not.toContain(S3_SECRET);
  });
});
