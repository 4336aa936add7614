import { readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { Uploads } from '../../../src/common/index.js';
import { SettingsService } from '../../../src/config/index.js';
import { AttachmentShape, AttachmentsService } from '../../../src/media/index.js';
import { MediaStorage } from '../../../src/platform/index.js';
import { MediaFilesService } from '../../../src/media/storage/media-files.service.js';
import { startApp, useApp } from '../../support/servers/app.js';
import { giantPng, mp3, mp4, noted, phonePhoto, photo, picture, webm } from '../../support/fixtures/media-files.js';
import { checkShape } from '../../support/shape.js';
import { post } from '../../support/fixtures/statuses.js';
import { filesOf, pathOf, sendFile, upload, type Uploaded } from '../../support/fixtures/uploads.js';

const size = (width: number, height: number) => ({ width, height, size: `${width}x${height}`, aspect: width / height });

describe('media', () => {
  const app = useApp({ people: ['alice', 'bob'] });

  beforeEach(async () => {
    const { stored } = await filesOf(app);
    await app.get(MediaFilesService).remove({ keys: stored.map((path) => path.split('/').slice(-2).join('/')) });
  });

  const rows = () => app.sql<{ id: string }>('select * from attachments');
  const set = (path: 'instance.upload_limit' | 'instance.description_limit', value: number) =>
    app.get(SettingsService).update([{ path, value }]);

  describe('uploads', () => {
    it.each(['/api/v1/media', '/api/v2/media', '/api/v1/upload'])('%s accepts a picture', async (path) => {
      const answer = await sendFile(app, 'alice', await picture('png', 60, 40), { path, description: 'a blue field' });
      expect(answer.status).toBe(200);
      expect(checkShape(AttachmentShape, answer.body)).toEqual([]);
      const { id, url, blurhash, ...rest } = answer.body as Uploaded;
      expect(id).toMatch(/^\d+$/);
      expect(url).toMatch(/^https:\/\/svc\.test\/media\/([0-9a-f]{2})\/\1[0-9a-f]{30}\.png$/);
      expect(blurhash).toMatch(/^.{28}$/);
      expect(rest).toEqual({
        type: 'image',
        preview_url: url,
        remote_url: null,
        preview_remote_url: null,
        text_url: url,
        description: 'a blue field',
        meta: { original: size(60, 40), small: size(60, 40) },
        svc: { mime_type: 'image/png' },
      });
      expect(await filesOf(app)).toMatchObject({ stored: [expect.stringContaining('.png')], temporary: [] });
    });

    it('shows a large picture by a small one', async () => {
      const { url, preview_url: preview, meta } = await upload(app, 'alice', await photo(900, 600));
      expect(preview).toMatch(/\.webp$/);
      expect(preview).not.toContain(url.slice(-36, -4)); // neither name reveals the other
      expect(meta).toEqual({ original: size(900, 600), small: size(400, 267) });
      const small = await app.http.get(pathOf(preview)).expect(200);
      expect(await sharp(small.body as Buffer).metadata()).toMatchObject({ width: 400, height: 267 });
    });

    it('M9 removes the metadata of a photo', async () => {
      const { url, meta } = await upload(app, 'alice', await phonePhoto(200, 100));
      expect(meta).toEqual({ original: size(100, 200), small: size(100, 200) });
      const published = (await app.http.get(pathOf(url)).expect(200)).body as Buffer;
      const metadata = await sharp(published).metadata();
      expect(metadata).toMatchObject({ format: 'jpeg', width: 100, height: 200 });
      expect(metadata).not.toHaveProperty('exif');
      expect(published.includes('secret')).toBe(false);
    });

    it.each(['png', 'jpeg', 'webp', 'gif', 'avif'] as const)('M9 publishes no notes of a %s', async (format) => {
      for (const original of noted(format, await picture(format))) {
        const { url } = await upload(app, 'alice', original);
        const published = (await app.http.get(pathOf(url)).expect(200)).body as Buffer;
        expect(published.includes('secret')).toBe(false);
        expect((await sharp(published).metadata()).width).toBe(60);
      }
    });

    it("accepts videos and sound, and removes a video's location", async () => {
      const video = await upload(app, 'alice', mp4());
      expect(video).toMatchObject({
        type: 'video',
        blurhash: null,
        preview_url: video.url,
        meta: { original: { ...size(640, 360), duration: 2.5 }, small: size(640, 360) },
        svc: { mime_type: 'video/mp4' },
      });
      expect(((await app.http.get(pathOf(video.url))).body as Buffer).includes('+52.5000')).toBe(false);
      expect(await upload(app, 'alice', webm())).toMatchObject({ type: 'video', svc: { mime_type: 'video/webm' } });
      const sound = await upload(app, 'alice', mp3());
      expect(sound).toMatchObject({ type: 'audio', preview_url: null, svc: { mime_type: 'audio/mpeg' } });
      expect(sound).not.toHaveProperty('meta');
      expect(checkShape(AttachmentShape, sound)).toEqual([]);
    });

    it.each([
      ['a video', mp4(), '/api/v1/media'],
      ['a recording', mp3(), '/api/v2/media'],
    ])('M9 shows %s by its cover', async (_, content, path) => {
      const sent = await sendFile(app, 'alice', content, { path, thumbnail: await phonePhoto(1000, 500) });
      expect([sent.status, checkShape(AttachmentShape, sent.body)]).toEqual([200, []]);
      const { url, preview_url: preview, blurhash } = sent.body as Uploaded;
      expect([preview === url, blurhash]).toEqual([false, expect.stringMatching(/^.{28}$/)]);
      const small = await app.http.get(pathOf(preview)).expect(200).expect('Content-Type', 'image/webp');
      const metadata = await sharp(small.body as Buffer).metadata();
      expect(metadata).toMatchObject({ format: 'webp', width: 200, height: 400 });
      expect(metadata).not.toHaveProperty('exif');
      const { stored, temporary } = await filesOf(app);
      expect([stored.length, temporary]).toEqual([2, []]);
    });

    it('ignores the cover of a picture', async () => {
      const sent = await sendFile(app, 'alice', await picture('png', 60, 40), { thumbnail: 'no picture' });
      const { url, preview_url: preview, meta } = sent.body as Uploaded;
      expect([sent.status, preview, meta]).toEqual([200, url, { original: size(60, 40), small: size(60, 40) }]);
      const { stored, temporary } = await filesOf(app);
      expect([stored.length, temporary]).toEqual([1, []]);
    });

    it('M3 gives every file a random name', async () => {
      for (const name of [
        '../../../etc/passwd',
        'a\r\nb.png',
        `${'x'.repeat(5000)}.png`,
        '\u202Egnp.exe',
        '.htaccess',
        'x.php',
      ]) {
        const answer = await sendFile(app, 'alice', await picture(), { name });
        expect([answer.status, pathOf((answer.body as Uploaded).url)]).toEqual([
          200,
          expect.stringMatching(/^\/media\/[0-9a-f]{2}\/[0-9a-f]{32}\.png$/),
        ]);
      }
    });
  });

  describe('an upload is refused', () => {
    async function expectNothingKept(): Promise<void> {
      expect(await filesOf(app)).toEqual({ stored: [], temporary: [] });
      expect(await rows()).toEqual([]);
    }

    it.each([
      ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
      ['HTML called a PNG', '<!doctype html><script>alert(1)</script>'],
      ['JavaScript', 'alert(1)'],
      ['JSON', '{"@context":"https://www.w3.org/ns/activitystreams","type":"Note"}'],
      ['PDF', '%PDF-1.7\n'],
      ['a playlist', '#EXTM3U\nfile:///etc/passwd'],
      ['an empty file', ''],
    ])('M1 M2 when it is %s', async (_, content) => {
      const answer = await sendFile(app, 'alice', content);
      expect([answer.status, answer.body]).toEqual([422, { error: 'Files of this type are not accepted' }]);
      await expectNothingKept();
    });

    it('M4 for pictures that are giant, damaged or fake', async () => {
      const [png, jpeg] = await Promise.all([picture('png', 300, 300), photo(300, 300)]);
      const refused: [Buffer, string][] = [
        [giantPng(), 'The picture has too many pixels'],
        [png.subarray(0, png.length / 2), 'The picture is damaged'],
        [jpeg.subarray(0, jpeg.length / 2), 'The picture is damaged'],
        [Buffer.concat([png.subarray(0, 60), Buffer.from('<script>alert(1)</script>')]), 'The picture is damaged'],
        [Buffer.from('GIF89a/*;*/=1;alert(1)'), 'The picture is damaged'],
        [mp4().subarray(0, 60), 'The file is damaged'],
      ];
      for (const [content, error] of refused) {
        const answer = await sendFile(app, 'alice', content);
        expect([answer.status, answer.body]).toEqual([422, { error }]);
      }
      await expectNothingKept();
    });

    it('M1 M4 M5 for covers that are no picture, damaged, giant or too large', async () => {
      await set('instance.upload_limit', 200_000);
      const refused: [Buffer | string, number, string][] = [
        ['<svg xmlns="http://www.w3.org/2000/svg"/>', 422, 'Only pictures are accepted here'],
        [mp4(), 422, 'Only pictures are accepted here'],
        ['', 422, 'Only pictures are accepted here'],
        [(await picture('png', 300, 300)).subarray(0, 200), 422, 'The picture is damaged'],
        [giantPng(), 422, 'The picture has too many pixels'],
        [Buffer.alloc(200_001), 413, 'Request entity too large'],
      ];
      for (const [thumbnail, status, error] of refused) {
        const answer = await sendFile(app, 'alice', mp4(), { thumbnail });
        expect([answer.status, answer.body]).toEqual([status, { error }]);
      }
      await set('instance.upload_limit', 16_000_000);
      await expectNothingKept();
    });

    it('for a second file', async () => {
      const { token } = await app.world.as('alice');
      const form = app.http.post('/api/v2/media').auth(token, { type: 'bearer' });
      await form
        .attach('file', await picture(), 'a.png')
        .attach('other', await picture(), 'b.png')
        .expect(400);
      await expectNothingKept();
    });

    it('M5 for files over the live limit', async () => {
      await set('instance.upload_limit', 5_000);
      expect((await sendFile(app, 'alice', Buffer.alloc(5_001))).status).toBe(413);
      expect((await sendFile(app, 'alice', Buffer.alloc(3_000_000))).body).toEqual({
        error: 'Request entity too large',
      });
      expect((await sendFile(app, 'alice', await picture())).status).toBe(200);
      await set('instance.upload_limit', 50);
      expect((await sendFile(app, 'alice', await picture())).status).toBe(413);
      await set('instance.upload_limit', 16_000_000);
      expect((await filesOf(app)).temporary).toEqual([]);
    });

    it('for a description that is too long', async () => {
      await set('instance.description_limit', 5);
      const error = 'The description is too long (maximum is 5 characters)';
      const answer = await sendFile(app, 'alice', await picture(), { description: '😀'.repeat(6) });
      expect([answer.status, answer.body]).toEqual([422, { error }]);
      await expectNothingKept();
      expect((await sendFile(app, 'alice', await picture(), { description: '😀'.repeat(5) })).status).toBe(200);
      await set('instance.description_limit', 5_000);
    });

    it('for text in place of the file', async () => {
      const alice = await app.world.as('alice');
      for (const body of [{}, { file: '' }]) {
        expect((await alice.post('/api/v2/media', body).expect(400)).body).toEqual({ error: 'file is missing' });
      }
      await alice.post('/api/v2/media', { file: 'data:image/png;base64,AAAA' }).expect(400);
      await expectNothingKept();
    });

    it('M8 while the disk is nearly full, but posting still works', async () => {
      const storage = app.get(MediaStorage);
      Object.assign(storage, { isFull: () => Promise.resolve(true) });
      try {
        const full = [503, { error: 'The server has no room left' }];
        const answer = await sendFile(app, 'alice', await picture());
        expect([answer.status, answer.body]).toEqual(full);
        const { token } = await app.world.as('alice');
        for (const [method, path, field] of [
          ['put', '/api/v1/svc/mascot', 'file'],
          ['patch', '/api/v1/accounts/update_credentials', 'avatar'],
        ] as const) {
          const sent = app.http[method](path).auth(token, { type: 'bearer' });
          const refused = await sent.attach(field, await picture(), 'face.png');
          expect([refused.status, refused.body]).toEqual(full);
        }
        await (await app.world.as('alice')).post('/api/v1/statuses', { status: 'no picture' }).expect(200);
      } finally {
        Reflect.deleteProperty(storage, 'isFull');
      }
      await expectNothingKept();
    });
  });

  describe('an upload', () => {
    it('can be read and described by its owner', async () => {
      const { id } = await upload(app, 'alice');
      const alice = await app.world.as('alice');
      expect((await alice.get(`/api/v1/media/${id}`).expect(200)).body).toMatchObject({ id, description: null });
      const described = await alice.put(`/api/v1/media/${id}`, { description: 'a cat' }).expect(200);
      expect(described.body).toMatchObject({ id, description: 'a cat' });
      expect((await alice.put(`/api/v1/media/${id}`, { focus: '0,0' }).expect(200)).body).toEqual(described.body);
      expect((await alice.get(`/api/v1/media/${id}`)).body).toEqual(described.body);
      await alice.put(`/api/v1/media/${id}`, { description: 'x'.repeat(5_001) }).expect(422);
    });

    describe('of a video', () => {
      const covered = async (person: string, id: string, thumbnail: Buffer, description?: string) => {
        const { token } = await app.world.as(person);
        const form = app.http.put(`/api/v1/media/${id}`).auth(token, { type: 'bearer' });
        if (description !== undefined) void form.field('description', description);
        return form.attach('thumbnail', thumbnail, 'cover.jpg');
      };
      let video: Uploaded;
      let cover: Buffer;

      beforeEach(async () => {
        video = await upload(app, 'alice', mp4());
        cover = await phonePhoto(1000, 500);
      });

      it('M9 is shown by the latest cover', async () => {
        const sent = await covered('alice', video.id, cover, 'a cat');
        expect([sent.status, checkShape(AttachmentShape, sent.body)]).toEqual([200, []]);
        const { preview_url: first, blurhash, ...rest } = sent.body as Uploaded;
        expect(rest).toMatchObject({ id: video.id, url: video.url, type: 'video', description: 'a cat' });
        expect(blurhash).toMatch(/^.{28}$/);
        const small = await app.http.get(pathOf(first)).expect(200).expect('Content-Type', 'image/webp');
        const metadata = await sharp(small.body as Buffer).metadata();
        expect(metadata).toMatchObject({ format: 'webp', width: 200, height: 400 });
        expect(metadata).not.toHaveProperty('exif');

        const second = (await covered('alice', video.id, await picture())).body as Uploaded;
        expect(second).toMatchObject({ id: video.id, description: 'a cat' });
        await app.drain();
        await app.http.get(pathOf(first)).expect(404);
        await app.http.get(pathOf(second.preview_url)).expect(200);
        const { stored, temporary } = await filesOf(app);
        expect([stored.length, temporary, (await rows()).length]).toEqual([2, [], 1]);
      });

      it('V8 gets a new cover from its owner only, until it is posted', async () => {
        expect((await covered('bob', video.id, cover)).status).toBe(404);
        await post(app, 'alice', 'x', { media_ids: [video.id] });
        const refused = await covered('alice', video.id, cover, 'a cat');
        expect([refused.status, refused.body]).toEqual([422, { error: 'The file is already part of a post' }]);
        const alice = await app.world.as('alice');
        expect((await alice.get(`/api/v1/media/${video.id}`)).body).toEqual(video);
        await app.sql(`update attachments set created_at = now() - interval '25 hours'`);
        await app.get(AttachmentsService).sweep();
        await app.drain();
        expect([(await rows()).length, (await filesOf(app)).stored.length]).toEqual([1, 1]);
      });

      it('M4 accepts only pictures as cover', async () => {
        for (const content of [mp4(), Buffer.from(''), (await picture('png', 300, 300)).subarray(0, 200), giantPng()]) {
          expect((await covered('alice', video.id, content)).status).toBe(422);
        }
        const { id, ...shown } = await upload(app, 'alice');
        const same = await covered('alice', id, cover);
        expect([same.status, same.body]).toEqual([200, { id, ...shown }]); // pictures have no cover
        expect([(await rows()).length, (await filesOf(app)).stored.length]).toEqual([2, 2]);
      });
    });

    it('V8 answers 404 to other accounts', async () => {
      const { id } = await upload(app, 'alice');
      const bob = await app.world.as('bob');
      const unknown = await bob.get('/api/v1/media/999999999').expect(404);
      expect((await bob.get(`/api/v1/media/${id}`).expect(404)).body).toEqual(unknown.body);
      expect((await bob.put(`/api/v1/media/${id}`, { description: 'mine' }).expect(404)).body).toEqual(unknown.body);
      expect(await rows()).toMatchObject([{ id, description: '' }]);
    });

    it.each(['x', '-1', '1.5', '9223372036854775808', 'undefined', '9'.repeat(400)])(
      'H10 is not found as %s',
      async (id) => {
        const alice = await app.world.as('alice');
        await alice.get(`/api/v1/media/${id}`).expect(404);
        await alice.put(`/api/v1/media/${id}`, { description: 'x' }).expect(404);
      },
    );

    it('M10 is removed with its files when unposted for a day', async () => {
      const old = await upload(app, 'alice', await photo(900, 600));
      const fresh = await upload(app, 'alice');
      await app.sql(`update attachments set created_at = now() - interval '25 hours' where id = $1`, [old.id]);
      await app.get(AttachmentsService).sweep();
      expect(await rows()).toMatchObject([{ id: fresh.id }]);
      await app.http.get(pathOf(old.url)).expect(200); // the job has not run yet
      await app.drain();
      await app.http.get(pathOf(old.url)).expect(404);
      await app.http.get(pathOf(old.preview_url)).expect(404);
      await app.http.get(pathOf(fresh.url)).expect(200);
    });

    it('is removed with its account', async () => {
      const { url } = await upload(app, 'alice');
      await app.sql('delete from accounts where id = $1', [app.world.id('alice')]);
      await app.sql(`update attachments set created_at = now() - interval '25 hours'`);
      await app.get(AttachmentsService).sweep();
      await app.drain();
      expect(await rows()).toEqual([]);
      await app.http.get(pathOf(url)).expect(404);
    });
  });

  it('has an address under MEDIA_URL if configured', async () => {
    const other = await startApp({ MEDIA_URL: 'https://files.test', COMPAT_BRAND: 'acme' });
    try {
      await other.world.person('alice');
      const { url, ...rest } = await upload(other, 'alice');
      expect(url).toMatch(/^https:\/\/files\.test\/media\//);
      expect(rest).toMatchObject({ acme: { mime_type: 'image/png' } });
    } finally {
      await other.close();
    }
  });

  it('sweeps the drafts of a killed server', async () => {
    const folder = join(app.env.dataDir, 'uploads');
    const left = join(folder, 'left');
    await writeFile(left, 'half a file');
    await utimes(left, 0, 0);
    await writeFile(join(folder, 'running'), 'x');
    await app.get(Uploads).onModuleInit();
    await expect(readFile(left)).rejects.toThrow('ENOENT');
    expect(await readFile(join(folder, 'running'), 'utf8')).toBe('x');
  });
});
