import { AttachmentsService } from '../../../src/media/index.js';
import { ReblogShape, PlainStatusShape, type StatusJson } from '../../../src/statuses/index.js';
import { useApp } from '../../support/servers/app.js';
import { photo } from '../../support/fixtures/media-files.js';
import { countQueries } from '../../support/queries.js';
import { checkShape } from '../../support/shape.js';
import { post, reblog } from '../../support/fixtures/statuses.js';
import { pathOf, upload, type Uploaded } from '../../support/fixtures/uploads.js';
import type { Client } from '../../support/fixtures/world.js';

const PATH = '/api/v1/statuses';
const NOT_YOURS = 'Some of the media were not found, are not yours, or are already part of a post';

describe('attachments of posts', () => {
  const app = useApp({ people: ['alice', 'bob'] });
  let alice: Client;

  beforeEach(async () => {
    alice = await app.world.as('alice');
  });

  const uploads = (count: number, person = 'alice') =>
    Promise.all(Array.from({ length: count }, () => upload(app, person)));
  const idsOf = (items: readonly { id: string }[]) => items.map(({ id }) => id);
  const stored = () => app.sql<{ id: string }>('select id from statuses');
  const free = async () =>
    idsOf(await app.sql<{ id: string }>('select id from attachments where status_id is null order by id'));

  it('appear in the post in the given order, as they were uploaded', async () => {
    const [first, second, third] = (await uploads(3)) as [Uploaded, Uploaded, Uploaded];
    const status = await post(app, 'alice', 'three pictures', { media_ids: idsOf([third, first, second]) });
    expect(checkShape(PlainStatusShape, status)).toEqual([]);
    expect(status.media_attachments).toEqual([third, first, second]);
    for (const path of [`${PATH}/${status.id}`, `${PATH}?ids[]=${status.id}`]) {
      const body = (await app.world.anonymous.get(path).expect(200)).body as StatusJson | StatusJson[];
      expect([body].flat()[0]?.media_attachments).toEqual([third, first, second]);
    }
  });

  it('are sufficient for a post without a text', async () => {
    const [{ id }] = (await uploads(1)) as [Uploaded];
    const answer = await alice.post(PATH, { media_ids: [id] }).expect(200);
    expect(answer.body).toMatchObject({ content: '', media_attachments: [{ id }] });
    await alice.post(PATH, { media_ids: [] }).expect(422, { error: 'Cannot post an empty status without attachments' });
  });

  it('are shown in boosts too', async () => {
    const [media] = (await uploads(1)) as [Uploaded];
    const status = await post(app, 'alice', 'x', { media_ids: [media.id] });
    const boost = await reblog(app, 'bob', status.id);
    expect(checkShape(ReblogShape, boost)).toEqual([]);
    expect([boost.media_attachments, boost.reblog.media_attachments]).toEqual([[media], [media]]);
  });

  it('are shown in a preview, which leaves them available', async () => {
    const media = await uploads(2);
    const answer = await alice.post(PATH, { status: 'x', media_ids: idsOf(media), preview: true }).expect(200);
    expect((answer.body as StatusJson).media_attachments).toEqual(media);
    expect((await free()).sort()).toEqual(idsOf(media).sort()); // uploaded at the same time, so in either order
    await alice.post(PATH, { status: 'x', media_ids: ['1'], preview: true }).expect(422, { error: NOT_YOURS });
  });

  it('add no statement to a page', async () => {
    const media = await uploads(2);
    await post(app, 'alice', 'with', { media_ids: idsOf(media) });
    const read = () => countQueries(async () => app.world.anonymous.get('/api/v1/timelines/public').expect(200));
    const cold = await read();
    expect(cold.result.body).toMatchObject([{ media_attachments: media }]);
    expect((await read()).statements.filter((name) => name.includes('media'))).toEqual([]);
    expect(cold.statements.filter((name) => name.includes('media'))).toEqual([]);
  });

  describe('are refused', () => {
    async function expectRefused(media_ids: readonly string[], by = alice): Promise<void> {
      const before = await free();
      await by.post(PATH, { status: 'x', media_ids }).expect(422, { error: NOT_YOURS });
      expect([await stored(), await free()]).toEqual([[], before]);
    }

    it('V8 M6 when another account uploaded them', async () => {
      const [mine, theirs] = [...(await uploads(1)), ...(await uploads(1, 'bob'))] as [Uploaded, Uploaded];
      await expectRefused([theirs.id]);
      await expectRefused([mine.id, theirs.id]);
    });

    it('when their ids are unknown or malformed', async () => {
      const [{ id }] = (await uploads(1)) as [Uploaded];
      for (const unknown of ['999999999', '9223372036854775808', '-1', 'x', '1.5', '[object Object]']) {
        await expectRefused([unknown]);
        await expectRefused([id, unknown]);
      }
    });

    it('M6 when the same upload is given twice', async () => {
      const [{ id }] = (await uploads(1)) as [Uploaded];
      await expectRefused([id, id]);
    });

    it('M6 when they are already part of a post', async () => {
      const [{ id }] = (await uploads(1)) as [Uploaded];
      const status = await post(app, 'alice', 'x', { media_ids: [id] });
      for (const preview of [false, true]) {
        await alice.post(PATH, { status: 'y', media_ids: [id], preview }).expect(422, { error: NOT_YOURS });
      }
      expect(idsOf(await stored())).toEqual([status.id]);
    });
  });

  it('M6 are attached to only one of several concurrent posts', async () => {
    for (let round = 0; round < 5; round += 1) {
      const ids = idsOf(await uploads(3));
      const orders = [ids, [...ids].reverse(), [ids[1]!], [ids[2]!, ids[0]!]];
      const answers = await Promise.all(
        orders.map((media_ids, at) => alice.post(PATH, { status: `${round} ${at}`, media_ids })),
      );
      const posted = answers.filter(({ status }) => status === 200).map(({ body }) => body as StatusJson);
      const given = posted.flatMap((status) => idsOf(status.media_attachments));
      expect(new Set(given).size).toBe(given.length);
      expect(posted.length).toBeGreaterThan(0);
      for (const answer of answers.filter(({ status }) => status !== 200)) {
        expect([answer.status, answer.body]).toEqual([422, { error: NOT_YOURS }]);
      }
      for (const { id, media_attachments: media } of posted) {
        const read = (await alice.get(`${PATH}/${id}`)).body as StatusJson;
        expect(read.media_attachments).toEqual(media);
      }
    }
  });

  it('are posted once when the request is repeated with its Idempotency-Key', async () => {
    const ids = idsOf(await uploads(2));
    const send = () => alice.post(PATH, { status: 'x', media_ids: ids }).set('Idempotency-Key', 'k').expect(200);
    const [first, second] = [await send(), await send()];
    expect(second.body).toEqual(first.body);
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(await stored()).toHaveLength(1);
  });

  it('leave the Idempotency-Key unused when they are refused', async () => {
    const send = (media_ids: string[]) => alice.post(PATH, { status: 'x', media_ids }).set('Idempotency-Key', 'again');
    await send(['1']).expect(422);
    await send(idsOf(await uploads(1))).expect(200);
  });

  it('have the descriptions of their time in the history, whatever is described or edited before that is written', async () => {
    const [first, second] = idsOf(await uploads(2)) as [string, string];
    const { id } = await post(app, 'alice', 'x', { media_ids: [first, second] });
    const say = (file: string, description: string) => alice.put(`/api/v1/media/${file}`, { description }).expect(200);
    const history = async () => {
      const { body } = await alice.get(`${PATH}/${id}/history`).expect(200);
      return (body as StatusJson[]).map((version) => version.media_attachments.map(({ description }) => description));
    };
    await say(first, 'a cat');
    await say(second, 'a dog');
    await app.drain();
    const described = [
      [null, null],
      ['a cat', null],
      ['a cat', 'a dog'],
    ];
    expect(await history()).toEqual(described);
    await say(first, 'a hat');
    await alice.put(`${PATH}/${id}`, { status: 'y', media_ids: [first, second] }).expect(200);
    await app.drain();
    expect(await history()).toEqual([...described, ['a hat', 'a dog']]);
  });

  it('can be described after they were posted, only by their owner', async () => {
    const [{ id }] = (await uploads(1)) as [Uploaded];
    const status = await post(app, 'alice', 'x', { media_ids: [id] });
    const shown = async () =>
      ((await app.world.anonymous.get(`${PATH}/${status.id}`)).body as StatusJson).media_attachments;
    expect(await shown()).toMatchObject([{ description: null }]);
    for (let time = 0; time < 2; time += 1) {
      await alice.put(`/api/v1/media/${id}`, { description: 'a cat' }).expect(200);
      await app.sql(
        `insert into jobs (name, queue, payload) select name, queue, payload from jobs where name = 'statuses.refresh'`,
      );
      await app.drain();
      expect(await shown()).toMatchObject([{ description: 'a cat' }]);
    }
    expect((await alice.get(`${PATH}/${status.id}/history`)).body).toMatchObject([
      { media_attachments: [{ description: null }] },
      { media_attachments: [{ description: 'a cat' }] },
    ]);
    await (await app.world.as('bob')).put(`/api/v1/media/${id}`, { description: 'a dog' }).expect(404);
    await app.drain();
    expect(await shown()).toMatchObject([{ description: 'a cat' }]);
  });

  it('return to their uploader when the post is deleted, and are removed with their files a day later', async () => {
    const media = await upload(app, 'alice', await photo(800, 600));
    const status = await post(app, 'alice', 'x', { media_ids: [media.id] });
    const boost = await reblog(app, 'bob', status.id);
    await (await app.world.as('bob')).delete(`${PATH}/${boost.id}`).expect(200);
    await app.drain();
    await app.http.get(pathOf(media.url)).expect(200); // the deletion of a boost removes no files
    await app.sql(`update attachments set created_at = created_at - interval '9 days'`); // the day starts with the deletion
    const answer = await alice.delete(`${PATH}/${status.id}`).expect(200);
    expect(answer.body).toMatchObject({ text: 'x', media_attachments: [media] });
    await app.sql(`update attachments set created_at = created_at - interval '23 hours'`);
    await app.get(AttachmentsService).sweep();
    await alice.get(`/api/v1/media/${media.id}`).expect(200);
    await app.sql(`update attachments set created_at = created_at - interval '2 hours'`);
    await app.get(AttachmentsService).sweep();
    await alice.get(`/api/v1/media/${media.id}`).expect(404);
    await app.drain();
    for (const url of [media.url, media.preview_url]) await app.http.get(pathOf(url)).expect(404);
  });

  it('are deleted at once with the post when the author requests it', async () => {
    const [{ id, url }] = (await uploads(1)) as [Uploaded];
    const status = await post(app, 'alice', 'x', { media_ids: [id] });
    await alice.delete(`${PATH}/${status.id}?delete_media=true`).expect(200);
    await alice.get(`/api/v1/media/${id}`).expect(404);
    await app.drain();
    await app.http.get(pathOf(url)).expect(404);
  });

  it('are deleted with a post that expires', async () => {
    const [{ id, url }] = (await uploads(1)) as [Uploaded];
    const status = await post(app, 'alice', 'x', { media_ids: [id], expires_in: 7_200 });
    await app.sql(`update statuses set expires_at = now() - interval '1 minute' where id = $1`, [status.id]);
    await app.sql(`update jobs set run_at = now()`);
    await app.drain();
    await app.http.get(pathOf(url)).expect(404);
  });

  it.each([
    ['is deleted', (id: string) => alice.delete(`${PATH}/${id}`)],
    ['is deleted with its files', (id: string) => alice.delete(`${PATH}/${id}?delete_media=true`)],
    [
      'expires',
      async (id: string) => {
        await app.sql(`update statuses set expires_at = now() - interval '1 minute' where id = $1`, [id]);
        await app.sql(`update jobs set run_at = now()`);
      },
    ],
  ])('that an edit removed are deleted at once with a post that %s, unless they are used again', async (_how, end) => {
    const [taken, again, last] = (await uploads(3)) as [Uploaded, Uploaded, Uploaded];
    const { id } = await post(app, 'alice', 'x', { media_ids: [taken.id, again.id], expires_in: 7_200 });
    await alice.put(`${PATH}/${id}`, { status: 'y', media_ids: [last.id] }).expect(200);
    await alice.put(`${PATH}/${id}`, { status: 'y', media_ids: [] }).expect(200);
    await post(app, 'alice', 'elsewhere', { media_ids: [again.id] });
    await end(id);
    await app.drain();
    for (const { url } of [taken, last]) await app.http.get(pathOf(url)).expect(404);
    await app.http.get(pathOf(again.url)).expect(200);
  });

  it('are required for posts in lists with only_media', async () => {
    await app.world.follow('bob', 'alice');
    const [{ id }] = (await uploads(1)) as [Uploaded];
    const status = await post(app, 'alice', 'with', { media_ids: [id] });
    await post(app, 'alice', 'without');
    await app.drain();
    const bob = await app.world.as('bob');
    const lists = [
      '/api/v1/timelines/home',
      '/api/v1/timelines/public',
      `/api/v1/accounts/${app.world.id('alice')}/statuses`,
    ];
    for (const list of lists) {
      expect((await bob.get(list)).body).toHaveLength(2);
      expect(idsOf((await bob.get(list, { only_media: true })).body as StatusJson[])).toEqual([status.id]);
    }
  });

  it('are part of the note that remote servers fetch', async () => {
    const [described, plain] = (await uploads(2)) as [Uploaded, Uploaded];
    await alice.put(`/api/v1/media/${described.id}`, { description: 'a cat' });
    const { uri } = await post(app, 'alice', 'x', { media_ids: [plain.id, described.id] });
    const { body } = (await app.http.get(pathOf(uri)).set('accept', 'application/activity+json').expect(200)) as {
      body: unknown;
    };
    const document = { type: 'Document', mediaType: 'image/png', blurhash: plain.blurhash, width: 60, height: 40 };
    expect(body).toMatchObject({
      attachment: [
        { ...document, url: plain.url, name: null },
        { ...document, url: described.url, name: 'a cat' },
      ],
    });
  });

  it('may be as many as 300', async () => {
    const [{ id }] = (await uploads(1)) as [Uploaded];
    const copies = await app.sql<{ id: string }>(
      `insert into attachments (account_id, type, mime_type, file_key)
       select account_id, type, mime_type, file_key from attachments, generate_series(1, 300) where id = $1 returning id`,
      [id],
    );
    const { media_attachments: media } = await post(app, 'alice', '', { media_ids: idsOf(copies) });
    expect(idsOf(media)).toEqual(idsOf(copies));
  });
});
