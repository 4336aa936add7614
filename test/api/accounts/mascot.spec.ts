import sharp from 'sharp';
import { AttachmentShape } from '../../../src/media/index.js';
import { AttachmentsService } from '../../../src/media/index.js';
import { useApp } from '../../support/servers/app.js';
import { mp3, picture } from '../../support/fixtures/media-files.js';
import { checkShape } from '../../support/shape.js';
import { filesOf, pathOf, type Uploaded } from '../../support/fixtures/uploads.js';

const PATH = '/api/v1/svc/mascot';

describe('the mascot', () => {
  const app = useApp({ people: ['alice', 'bob'] });

  const shown = async (person = 'alice', path = PATH) =>
    (await (await app.world.as(person)).get(path).expect(200)).body as Uploaded;
  const send = async (content: Buffer, { field = 'file', path = PATH } = {}) =>
    app.http
      .put(path)
      .set('authorization', `Bearer ${(await app.world.as('alice')).token}`)
      .attach(field, content, 'mascot.png');

  it.each([PATH, '/api/svc/mascot'])('is a default picture until the user chooses one: %s', async (path) => {
    const mascot = await shown('alice', path);
    expect(checkShape(AttachmentShape, mascot)).toEqual([]);
    expect(mascot).toMatchObject({ type: 'image', remote_url: null, svc: { mime_type: 'image/png' } });
    const image = await app.http.get(pathOf(mascot.url)).expect(200);
    expect(image.type).toBe('image/png');
    expect(await sharp(image.body as Buffer).metadata()).toMatchObject({ format: 'png', width: 512, height: 512 });
  });

  it.each([
    ['file', PATH],
    ['image', '/api/svc/mascot'],
  ])('is set with the parameter %s of %s, for the own account only', async (field, path) => {
    const answer = await send(await picture('png', 60, 40), { field, path });
    expect(answer.status).toBe(200);
    expect(checkShape(AttachmentShape, answer.body)).toEqual([]);
    expect(await shown()).toEqual(answer.body);
    expect((await shown('bob')).url).toBe('https://svc.test/images/mascot.png');
  });

  it('M10 is kept while it is in use, and deleted when it is replaced', async () => {
    const first = (await send(await picture())).body as Uploaded;
    await app.sql(`update attachments set created_at = now() - interval '2 days'`);
    await app.get(AttachmentsService).sweep();
    await app.drain();
    expect((await shown()).url).toBe(first.url);
    await app.http.get(pathOf(first.url)).expect(200);
    const second = (await send(await picture())).body as Uploaded;
    await app.get(AttachmentsService).sweep();
    await app.drain();
    expect((await shown()).url).toBe(second.url);
    await app.http.get(pathOf(first.url)).expect(404);
  });

  it('is no file for posts and messages, with which it would be deleted', async () => {
    const { id } = (await send(await picture())).body as Uploaded;
    const alice = await app.world.as('alice');
    await alice.post('/api/v1/statuses', { status: 'tea', media_ids: [id] }).expect(422);
    const chat = (await alice.post(`/api/v1/svc/chats/by-account-id/${app.world.id('bob')}`).expect(200))
      .body as Uploaded;
    await alice.post(`/api/v1/svc/chats/${chat.id}/messages`, { media_id: id }).expect(422);
    expect((await shown()).id).toBe(id);
  });

  it('is one of two pictures that are sent at once', async () => {
    const answers = await Promise.all([send(await picture()), send(await picture())]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers.map(({ body }) => (body as Uploaded).url)).toContain((await shown()).url);
    expect(await app.sql('select from mascots')).toHaveLength(1);
  });

  it.each([
    ['sound', () => mp3()],
    ['text', () => Buffer.from('no picture')],
    ['a damaged picture', async () => (await picture('png', 60, 40)).subarray(0, 60)],
  ])('cannot be %s', async (_case, content) => {
    const answer = await send(await content());
    expect([answer.status, answer.body]).toEqual([415, { error: 'mascots can only be images' }]);
    expect(await app.sql('select from attachments')).toEqual([]);
    expect((await filesOf(app)).temporary).toEqual([]);
  });

  it('requires a file and a user', async () => {
    const alice = await app.world.as('alice');
    await alice.put(PATH).expect(400);
    await alice.put(PATH, { file: 'x' }).expect(400);
    await app.world.anonymous.get(PATH).expect(401);
  });
});
