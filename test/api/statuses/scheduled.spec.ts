import { UsersService } from '../../../src/accounts/index.js';
import { AttachmentsService } from '../../../src/media/index.js';
import {
  type PlainStatusJson,
  ScheduledService,
  type ScheduledStatusJson,
  ScheduledStatusShape,
} from '../../../src/statuses/index.js';
import { useApp } from '../../support/servers/app.js';
import { holding, waitersOf } from '../../support/locks.js';
import { checkShape } from '../../support/shape.js';
import { upload } from '../../support/fixtures/uploads.js';
import { ok, post } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

const STATUSES = '/api/v1/statuses';
const LIST = '/api/v1/scheduled_statuses';
const DAY_MS = 86_400_000;

const app = useApp({ people: ['alice', 'bob'] });
let alice: Client;
let bob: Client;

beforeEach(async () => {
  [alice, bob] = await Promise.all([app.world.as('alice'), app.world.as('bob')]);
});

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
const later = () => inMs(DAY_MS);
const schedule = (options: object = {}) =>
  ok<ScheduledStatusJson>(alice.post(STATUSES, { status: 'tea later', scheduled_at: later(), ...options }));
const posts = () => app.sql<{ id: string; content_text: string }>('select id, content_text from statuses order by id');

/** Makes all scheduled posts due. */
async function pass(): Promise<void> {
  await app.sql(`update scheduled_statuses set scheduled_at = now()`);
  await app.sql(`update jobs set run_at = now() where name = 'statuses.post-scheduled'`);
}

describe('a scheduled post', () => {
  it('is shown only to its author until it is posted at its time', async () => {
    const time = later();
    const made = await schedule({ scheduled_at: time, spoiler_text: 'hot', visibility: 'private', expires_in: 7_200 });
    expect(checkShape(ScheduledStatusShape, made)).toEqual([]);
    expect(made).toMatchObject({
      scheduled_at: time,
      params: { text: 'tea later', spoiler_text: 'hot', visibility: 'private', expires_in: 7_200 },
      media_attachments: [],
    });
    expect(await posts()).toEqual([]);
    expect(await ok(alice.get(LIST))).toEqual([made]);
    expect(await ok(bob.get(LIST))).toEqual([]);
    const gone = { error: 'Record not found' };
    await bob.get(`${LIST}/${made.id}`).expect(404, gone);
    await bob.put(`${LIST}/${made.id}`, { scheduled_at: later() }).expect(404, gone);
    await bob.delete(`${LIST}/${made.id}`).expect(404, gone);
    await app.drain();
    expect(await posts()).toEqual([]);
    await pass();
    await app.drain();
    const id = (await posts())[0]!.id;
    const shown = await ok(alice.get(`${STATUSES}/${id}`));
    expect(shown).toMatchObject({ spoiler_text: 'hot', visibility: 'private', application: { name: 'Test app' } });
    expect(Date.parse(shown.svc.expires_at!)).toBeGreaterThan(Date.now() + 7_100_000);
    expect(await ok(alice.get(LIST))).toEqual([]);
  });

  it('is refused for a time in the past or too soon, and is posted at once for an empty time', async () => {
    for (const time of [inMs(240_000), inMs(-DAY_MS)]) {
      await alice
        .post(STATUSES, { status: 'x', scheduled_at: time })
        .expect(422, { error: 'Scheduled At must be in the future' });
    }
    await alice.post(STATUSES, { status: 'x', scheduled_at: 'soon' }).expect(400);
    expect(await posts()).toEqual([]);
    expect(await ok(alice.post(STATUSES, { status: 'now', scheduled_at: '' }))).toHaveProperty('content', '<p>now</p>');
  });

  it('is validated when it is scheduled', async () => {
    await alice.post(STATUSES, { status: ' ', scheduled_at: later() }).expect(422);
    await alice.post(STATUSES, { status: 'x', expires_in: 60, scheduled_at: later() }).expect(422);
    await alice.post(STATUSES, { status: 'x', media_ids: ['7'], scheduled_at: later() }).expect(422);
    expect(await app.sql('select from scheduled_statuses')).toEqual([]);
    expect(await app.sql(`select from jobs where name = 'statuses.post-scheduled'`)).toEqual([]);
  });

  it('D3 is stored once per Idempotency-Key, also under concurrent requests', async () => {
    const send = () =>
      alice.post(STATUSES, { status: 'once', scheduled_at: later() }).set('idempotency-key', 'k1').expect(200);
    const answers = await Promise.all([send(), send(), send()]);
    expect(new Set(answers.map(({ body }) => (body as ScheduledStatusJson).id)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(2);
    expect(await app.sql('select from scheduled_statuses')).toHaveLength(1);
  });

  it.each(['its time is near', 'its parent is gone'])('is returned for its Idempotency-Key when %s', async (why) => {
    const parent = await post(app, 'bob', 'tea?');
    const options = { status: 'yes', in_reply_to_id: parent.id };
    const send = (scheduled_at: string) =>
      alice
        .post(STATUSES, { ...options, scheduled_at })
        .set('idempotency-key', 'k')
        .expect(200);
    const made = (await send(later())).body as ScheduledStatusJson;
    if (why === 'its parent is gone') await bob.delete(`${STATUSES}/${parent.id}`).expect(200);
    const again = await send(why === 'its time is near' ? inMs(240_000) : made.scheduled_at);
    expect(again.headers).toMatchObject({ 'idempotent-replayed': 'true' });
    expect(again.body).toMatchObject({ id: made.id });
    expect(await app.sql('select from scheduled_statuses')).toHaveLength(1);
  });

  it('is returned for its Idempotency-Key as the post that it became, until that is deleted', async () => {
    const send = () => alice.post(STATUSES, { status: 'yes', scheduled_at: later() }).set('idempotency-key', 'k');
    await send().expect(200);
    await pass();
    await app.drain();
    const again = await send().expect(200);
    const [published] = await posts();
    expect(again.headers).toMatchObject({ 'idempotent-replayed': 'true' });
    expect(again.body).toMatchObject({ id: published!.id, content: '<p>yes</p>' });
    expect(await app.sql('select from scheduled_statuses')).toEqual([]);
    await alice.delete(`${STATUSES}/${published!.id}`).expect(200);
    await send().expect(404);
    expect(await app.sql('select from scheduled_statuses')).toEqual([]);
  });

  it('reserves its uploads, protects them from the sweep, and is posted with them and its poll', async () => {
    const { id: media } = await upload(app, 'alice');
    const made = await schedule({ media_ids: [media], poll: { options: ['a', 'b'], expires_in: 300 } });
    expect(made.media_attachments).toMatchObject([{ id: media }]);
    expect(made.params).toMatchObject({ media_ids: [media], poll: { options: ['a', 'b'], expires_in: 300 } });
    await alice.post(STATUSES, { status: 'mine', media_ids: [media] }).expect(422);
    await app.sql(`update attachments set created_at = now() - interval '9 days'`);
    await app.get(AttachmentsService).sweep();
    await pass();
    await app.drain();
    const [shown] = await ok<PlainStatusJson[]>(alice.get('/api/v1/timelines/home'));
    expect(shown).toMatchObject({
      media_attachments: [{ id: media }],
      poll: { options: [{ title: 'a' }, { title: 'b' }] },
    });
  });

  it('V8 M6 refuses uploads of other accounts and uploads of another post or scheduled post', async () => {
    const { id: foreign } = await upload(app, 'bob');
    const { id: posted } = await upload(app, 'alice');
    const { id: waiting } = await upload(app, 'alice');
    const shown = await post(app, 'alice', 'tea', { media_ids: [posted] });
    const kept = await schedule({ media_ids: [waiting] });
    for (const media of [foreign, posted, waiting]) {
      await alice.post(STATUSES, { status: 'x', media_ids: [media], scheduled_at: later() }).expect(422);
    }
    expect(await ok(alice.get(LIST))).toEqual([kept]);
    expect(await ok(alice.get(`${STATUSES}/${shown.id}`))).toMatchObject({ media_attachments: [{ id: posted }] });
    await bob.get(`/api/v1/media/${foreign}`).expect(200);
    await post(app, 'bob', 'mine', { media_ids: [foreign] });
  });

  it('releases its uploads when it is cancelled', async () => {
    const { id: media } = await upload(app, 'alice');
    const made = await schedule({ media_ids: [media] });
    await app.sql(`update attachments set created_at = now() - interval '2 days'`);
    expect(await ok(alice.delete(`${LIST}/${made.id}`))).toEqual(made);
    await alice.get(`${LIST}/${made.id}`).expect(404);
    await app.get(AttachmentsService).sweep(); // not before a day has passed since then
    expect(await post(app, 'alice', 'now', { media_ids: [media] })).toMatchObject({
      media_attachments: [{ id: media }],
    });
    await app.drain();
    expect(await posts()).toHaveLength(1);
  });

  it('is posted once when its job runs repeatedly or concurrently', async () => {
    const { id } = await schedule();
    await pass();
    const scheduled = app.get(ScheduledService);
    await holding(app, async (holder) => {
      await holder.query('select from scheduled_statuses for update');
      const tries = Array.from({ length: 4 }, () => scheduled.post({ scheduledId: id }));
      await waitersOf(holder, 4); // all have read it, and none has locked it
      await holder.query('commit');
      await Promise.all(tries);
    });
    await app.drain();
    expect(await posts()).toHaveLength(1);
  });

  it('can be moved to another time that is not too soon', async () => {
    const made = await schedule();
    const time = inMs(2 * DAY_MS);
    expect(await ok(alice.put(`${LIST}/${made.id}`, { scheduled_at: time }))).toMatchObject({ scheduled_at: time });
    const soon = { error: 'must be at least 5 minutes from now' };
    await alice.put(`${LIST}/${made.id}`, { scheduled_at: inMs(240_000) }).expect(422, soon);
    await alice.put(`${LIST}/${made.id}`, { scheduled_at: 'soon' }).expect(400);
    await alice.put(`${LIST}/${made.id}`).expect(400);
    await app.sql(`update jobs set run_at = now() where name = 'statuses.post-scheduled' and run_at < $1`, [time]);
    await app.drain();
    expect(await posts()).toEqual([]);
    await pass();
    await app.drain();
    expect(await posts()).toHaveLength(1);
  });

  it('has one job, however often it is moved, which is deleted with it', async () => {
    const jobs = () => app.sql(`select run_at from jobs where name = 'statuses.post-scheduled'`);
    const made = await schedule();
    const time = inMs(3 * DAY_MS);
    for (const at of [inMs(2 * DAY_MS), time]) await ok(alice.put(`${LIST}/${made.id}`, { scheduled_at: at }));
    expect(await jobs()).toEqual([{ run_at: time }]);
    await alice.delete(`${LIST}/${made.id}`).expect(200);
    expect(await jobs()).toEqual([]);
  });

  it('waits while its author is deactivated, and is posted after the reactivation', async () => {
    const users = app.get(UsersService);
    const waiting = () => app.sql<{ content: string }>(`select options->>'text' as content from scheduled_statuses`);
    await schedule();
    await users.setActive(app.world.id('alice'), false);
    await pass();
    await app.drain();
    expect([await posts(), await waiting()]).toEqual([[], [{ content: 'tea later' }]]);
    await users.setActive(app.world.id('alice'), true);
    await app.drain();
    expect([await posts(), await waiting()]).toMatchObject([[{ content_text: 'tea later' }], []]);
  });

  it('stays in the list when it can no longer be posted', async () => {
    const parent = await post(app, 'bob', 'question');
    const made = await schedule({ in_reply_to_id: parent.id });
    await bob.delete(`${STATUSES}/${parent.id}`).expect(200);
    await pass();
    await app.drain();
    expect(await posts()).toEqual([]);
    expect(await ok<ScheduledStatusJson[]>(alice.get(LIST))).toMatchObject([{ id: made.id }]);
  });
});

describe('scheduled posts', () => {
  it('are limited to 25 per day and 300 in total, also under concurrent requests', async () => {
    const day = (n: number) => `2099-01-${String(n).padStart(2, '0')}T12:00:00Z`;
    const fill = (n: number, count: number) =>
      app.sql(
        `insert into scheduled_statuses (account_id, scheduled_at, options)
         select $1, $2::timestamptz, '{"text":"x"}' from generate_series(1, $3::int)`,
        [app.world.id('alice'), day(n), count],
      );
    await fill(1, 24);
    const send = () => alice.post(STATUSES, { status: 'x', scheduled_at: day(1) });
    const answers = await Promise.all([send(), send(), send()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
    await send().expect(422, { error: 'daily limit exceeded' });
    const other = await schedule({ scheduled_at: day(2) });
    await alice.put(`${LIST}/${other.id}`, { scheduled_at: day(1) }).expect(422, { error: 'daily limit exceeded' });
    for (let n = 3; n < 14; n += 1) await fill(n, 25);
    await alice.post(STATUSES, { status: 'x', scheduled_at: day(20) }).expect(422, { error: 'total limit exceeded' });
  });

  it('are paged by their ids', async () => {
    const made: ScheduledStatusJson[] = [];
    for (let count = 0; count < 3; count += 1) made.unshift(await schedule());
    const answer = await alice.get(LIST, { limit: 2 }).expect(200);
    expect(answer.body).toEqual(made.slice(0, 2));
    expect(answer.headers['link']).toContain(`max_id=${made[1]!.id}`);
    expect(await ok(alice.get(LIST, { max_id: made[1]!.id }))).toEqual(made.slice(2));
    expect(await ok(alice.get(LIST, { min_id: made[2]!.id, limit: 1 }))).toEqual([made[1]]);
  });
});
