import sharp from 'sharp';
import type supertest from 'supertest';
import { type CredentialAccountJson, CredentialAccountShape } from '../../../src/accounts/index.js';
import { SettingsService } from '../../../src/config/index.js';
import { useApp } from '../../support/servers/app.js';
import { animation, giantPng, movingPng, mp4, phonePhoto, photo, picture } from '../../support/fixtures/media-files.js';
import { checkShape } from '../../support/shape.js';
import { filesOf, pathOf } from '../../support/fixtures/uploads.js';

const UPDATE = '/api/v1/accounts/update_credentials';
const AVATAR = 'https://svc.test/images/avi.png';
const BANNER = 'https://svc.test/images/banner.png';

describe('a profile picture', () => {
  const app = useApp();

  beforeEach(async () => {
    await app.world.person('alice');
  });

  async function patch(path: string, files: Readonly<Record<string, Buffer | ''>>): Promise<supertest.Response> {
    const { token } = await app.world.as('alice');
    const form = app.http.patch(path).set('authorization', `Bearer ${token}`);
    for (const [field, content] of Object.entries(files)) {
      if (content === '') void form.field(field, '');
      else void form.attach(field, content, 'x.png');
    }
    return form;
  }
  async function changed(files: Readonly<Record<string, Buffer | ''>>): Promise<CredentialAccountJson> {
    const answer = await patch(UPDATE, files);
    expect([answer.status, checkShape(CredentialAccountShape, answer.body)]).toEqual([200, []]);
    return answer.body as CredentialAccountJson;
  }
  const shown = async () => (await app.http.get('/api/v1/accounts/alice').expect(200)).body as CredentialAccountJson;
  const served = (url: string) => app.http.get(pathOf(url));
  const uploads = () => app.sql('select id from attachments');

  it('can be changed with the rest of the profile, and is shown to all viewers', async () => {
    const own = await changed({
      avatar: await picture('png'),
      header: await picture('jpeg'),
      svc_background_image: await picture('webp'),
    });
    expect(own.avatar).toMatch(/^https:\/\/svc\.test\/media\/..\/[0-9a-f]{32}\.png$/);
    expect(own.avatar_static).toBe(own.avatar);
    expect(own.header).toMatch(/\.jpg$/);
    expect(own.header_static).toBe(own.header);
    expect(own.svc.background_image).toMatch(/\.webp$/);
    expect(await shown()).toMatchObject({
      avatar: own.avatar,
      header: own.header,
      svc: { background_image: own.svc.background_image },
    });
    await served(own.avatar).expect(200).expect('Content-Type', 'image/png');
    expect(await uploads()).toEqual([]); // no attachment that the cleanup could remove
  });

  it('stays when only other fields change, and can be changed alone', async () => {
    const { avatar, header } = await changed({ avatar: await picture(), header: await picture() });
    const alice = await app.world.as('alice');
    expect((await alice.patch(UPDATE, { display_name: 'Alice' })).body).toMatchObject({ avatar, header });
    const second = await changed({ avatar: await picture('gif') });
    expect(second.avatar).not.toBe(avatar);
    expect(second).toMatchObject({ header, display_name: 'Alice' });
  });

  it('is removed by an empty text', async () => {
    await changed({ avatar: await picture(), header: await picture(), svc_background_image: await picture() });
    expect(await changed({ avatar: '', header: '', svc_background_image: '' })).toMatchObject({
      avatar: AVATAR,
      header: BANNER,
      svc: { background_image: null },
    });
    const alice = await app.world.as('alice');
    await changed({ avatar: await picture() });
    expect((await alice.patch(UPDATE, { avatar: '' }).expect(200)).body).toMatchObject({ avatar: AVATAR });
  });

  it('has a description, which is removed with it unless a new one is given', async () => {
    const alice = await app.world.as('alice');
    const send = (values: Record<string, string>, file?: Buffer) => {
      const form = app.http.patch(UPDATE).set('authorization', `Bearer ${alice.token}`);
      for (const [name, value] of Object.entries(values)) void form.field(name, value);
      return file ? form.attach('avatar', file, 'x.png') : form;
    };
    const described = async () => {
      const { avatar_description: avatar, header_description: header } = (await shown()).svc;
      return [avatar, header];
    };
    await send({ avatar_description: 'me', header_description: 'hills' }, await picture()).expect(200);
    expect(await described()).toEqual(['me', 'hills']);
    await send({ avatar_description: 'still me' }, await picture('gif')).expect(200);
    expect(await described()).toEqual(['still me', 'hills']);
    await send({ header_description: '' }).expect(200);
    expect(await described()).toEqual(['still me', '']);
    await send({ avatar: '' }).expect(200);
    expect(await described()).toEqual(['', '']);
    await send({ avatar_description: 'me' }).expect(200);
    await patch('/api/v1/svc/accounts/update_avatar', { img: await picture() });
    expect(await described()).toEqual(['', '']);
  });

  it('is deleted from the disk when it is replaced', async () => {
    const first = await changed({ avatar: await picture() });
    const second = await changed({ avatar: await picture('gif') });
    await changed({ avatar: '' });
    await served(second.avatar).expect(200); // the file stays until the job has run
    await app.drain();
    for (const { avatar } of [first, second]) await served(avatar).expect(404);
  });

  it('has a still version when it is animated, which is deleted with it', async () => {
    const own = await changed({ avatar: await animation('gif'), header: await animation('webp') });
    expect([own.avatar, own.header]).toEqual([
      expect.stringMatching(/\.moving\.gif$/),
      expect.stringMatching(/\.moving\.webp$/),
    ]);
    for (const [moving, still] of [
      [own.avatar, own.avatar_static],
      [own.header, own.header_static],
    ] as const) {
      expect(still).not.toBe(moving);
      const answer = await served(still).expect(200).expect('Content-Type', 'image/webp');
      const { pages, width, height } = await sharp(answer.body as Buffer).metadata();
      expect([pages, width, height]).toEqual([undefined, 60, 40]);
      expect((await sharp((await served(moving).expect(200)).body as Buffer).metadata()).pages).toBe(3);
    }
    expect(await shown()).toMatchObject({ avatar_static: own.avatar_static, header_static: own.header_static });
    await changed({ avatar: await picture('gif'), header: '' });
    await app.drain();
    for (const url of [own.avatar, own.avatar_static, own.header, own.header_static]) await served(url).expect(404);
    expect((await filesOf(app)).stored.filter((path) => /moving|still/.test(path))).toEqual([]);
  });

  it('has a still version when it is an animated PNG', async () => {
    const moving = await movingPng();
    const own = await changed({ avatar: moving });
    expect(own.avatar).toMatch(/\.moving\.png$/);
    expect((await served(own.avatar).expect(200).expect('Content-Type', 'image/png')).body).toEqual(moving);
    await served(own.avatar_static).expect(200).expect('Content-Type', 'image/webp');
  });

  it('at a remote address is shown unchanged, and its removal deletes no file', async () => {
    await app.sql(`update accounts set avatar_url = 'https://else.test/media/ab/c.png', version = version + 1`);
    expect((await shown()).avatar).toBe('https://else.test/media/ab/c.png');
    await changed({ avatar: '' });
    expect(await app.sql(`select * from jobs where name = 'media.remove-files'`)).toEqual([]);
  });

  it.each([
    ['update_avatar', 'img', 'avatar', AVATAR],
    ['update_banner', 'banner', 'header', BANNER],
    ['update_background', 'img', 'background_image', null],
  ] as const)('can be changed with %s', async (name, field, shownAs, none) => {
    const current = async () => ({ ...(await shown()), ...(await shown()).svc })[shownAs];
    for (const prefix of ['/api/v1/svc', '/api/svc']) {
      const path = `${prefix}/accounts/${name}`;
      const { body } = (await patch(path, { [field]: await picture() })) as { body: { url: string } };
      expect(body).toEqual({ url: expect.stringMatching(/^https:\/\/svc\.test\/media\//) });
      expect(await current()).toBe(body.url);
      expect((await patch(path, { [field]: '' })).body).toEqual({ url: null });
      expect(await current()).toBe(none);
    }
    for (const other of ['image', 'file', 'avatar', 'background']) {
      const answer = await patch(`/api/v1/svc/accounts/${name}`, { [other]: await picture() });
      expect(answer.body).toEqual({ url: expect.stringContaining('/media/') });
    }
    const missing = await (await app.world.as('alice')).patch(`/api/v1/svc/accounts/${name}`).expect(400);
    expect(missing.body).toEqual({ error: `${field} is missing` });
  });

  it('M9 contains no location, and is not larger than needed', async () => {
    const { avatar } = await changed({ avatar: await phonePhoto(1200, 600) });
    const metadata = await sharp((await served(avatar)).body as Buffer).metadata();
    expect(metadata).toMatchObject({ width: 400, height: 800 });
    expect(metadata).not.toHaveProperty('exif');
    const moving = await changed({ avatar: await animation('gif') });
    expect((await sharp((await served(moving.avatar)).body as Buffer).metadata()).pages).toBe(3);
  });

  it('M1 M4 must be a complete picture', async () => {
    const jpeg = await photo(300, 300);
    const refused: [Buffer, string][] = [
      [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'Only pictures are accepted here'],
      [Buffer.from('<!doctype html><script>alert(1)</script>'), 'Only pictures are accepted here'],
      [mp4(), 'Only pictures are accepted here'],
      [giantPng(), 'The picture has too many pixels'],
      [jpeg.subarray(0, jpeg.length / 2), 'The picture is damaged'],
    ];
    const before = await shown();
    for (const [content, error] of refused) {
      const paths = [UPDATE, '/api/v1/svc/accounts/update_avatar'];
      for (const [index, path] of paths.entries()) {
        const answer = await patch(path, { [index === 0 ? 'avatar' : 'img']: content });
        expect([answer.status, answer.body]).toEqual(
          index === 0
            ? [403, { error, details: { avatar: [{ error: 'ERR_INVALID', description: error }] } }]
            : [400, { error }],
        );
      }
    }
    expect(await shown()).toEqual(before);
    expect(await uploads()).toEqual([]);
  });

  it('M5 has a live size limit for each kind', async () => {
    const settings = app.get(SettingsService);
    const content = await photo(200, 200);
    const fits = content.length;
    await settings.update([
      { path: 'instance.avatar_upload_limit', value: fits - 1 },
      { path: 'instance.banner_upload_limit', value: fits },
      { path: 'instance.background_upload_limit', value: fits - 1 },
    ]);
    expect((await patch(UPDATE, { avatar: content })).status).toBe(413);
    expect((await patch(UPDATE, { header: content })).status).toBe(200);
    expect((await patch(UPDATE, { svc_background_image: content })).status).toBe(413);
    expect((await patch('/api/v1/svc/accounts/update_avatar', { img: content })).body).toEqual({
      error: 'Request entity too large',
    });
    expect((await patch('/api/v1/svc/accounts/update_banner', { banner: content })).status).toBe(200);
  });

  it('stays when the rest of the update is refused', async () => {
    const { token } = await app.world.as('alice');
    await app.http
      .patch(UPDATE)
      .set('authorization', `Bearer ${token}`)
      .field('display_name', 'x'.repeat(200))
      .attach('avatar', await picture(), 'x.png')
      .expect(403);
    expect((await shown()).avatar).toBe(AVATAR);
    expect(await uploads()).toEqual([]);
  });

  it('is one of several that are sent at once, and the files of the others are deleted', async () => {
    const contents = await Promise.all([picture('png'), picture('gif'), picture('webp'), picture('jpeg')]);
    const answers = await Promise.all(contents.map((avatar) => changed({ avatar })));
    const kept = (await shown()).avatar;
    await app.drain();
    for (const { avatar } of answers) await served(avatar).expect(avatar === kept ? 200 : 404);
  });

  it('is accepted as a data URI in every encoding, and checked like a file', async () => {
    const { token } = await app.world.as('alice');
    const send = (path: string) => app.http.patch(path).set('authorization', `Bearer ${token}`);
    const uri = (content: Buffer, type = 'image/png') => `data:${type};base64,${content.toString('base64')}`;
    const png = await picture('png');
    const answer = await send(UPDATE).send({ avatar: uri(png), header: uri(await picture('webp'), 'image/webp') });
    const own = answer.body as CredentialAccountJson;
    expect([answer.status, checkShape(CredentialAccountShape, own)]).toEqual([200, []]);
    expect(own.avatar).toMatch(/\/media\/..\/[0-9a-f]{32}\.png$/);
    expect(own.header).toMatch(/\.webp$/);
    await served(own.avatar).expect(200).expect('Content-Type', 'image/png');
    const avatars = '/api/v1/svc/accounts/update_avatar';
    const single = await send(avatars).field('img', uri(png)).expect(200); // a form part without a file name
    expect((single.body as { url: string }).url).not.toBe(own.avatar);
    await send(avatars)
      .type('form')
      .send({ img: uri(png) })
      .expect(200);
    const before = await shown();
    const jpeg = await photo(300, 300);
    for (const [content, error] of [
      [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'Only pictures are accepted here'],
      [giantPng(), 'The picture has too many pixels'],
      [jpeg.subarray(0, jpeg.length / 2), 'The picture is damaged'],
      [Buffer.alloc(0), 'Only pictures are accepted here'],
    ] as const) {
      await send(avatars)
        .send({ img: uri(content, 'image/svg+xml') })
        .expect(400, { error });
    }
    await app.get(SettingsService).update([{ path: 'instance.avatar_upload_limit', value: png.length - 1 }]);
    await send(UPDATE)
      .send({ avatar: uri(png) })
      .expect(413);
    await send(UPDATE)
      .send({ header: uri(png), avatar: uri(png) })
      .expect(413);
    expect(await shown()).toEqual(before);
    expect(await uploads()).toEqual([]);
    expect((await filesOf(app)).temporary).toEqual([]);
  });

  it('appears in the actor document', async () => {
    const { avatar, header } = await changed({ avatar: await picture(), header: await picture() });
    await (await app.world.as('alice')).patch(UPDATE, { avatar_description: 'me' }).expect(200);
    const answer = await app.http.get('/users/alice').set('accept', 'application/activity+json').expect(200);
    expect(answer.body).toMatchObject({
      icon: { type: 'Image', url: avatar, name: 'me' },
      image: { type: 'Image', url: header },
    });
  });
});
