import type supertest from 'supertest';
import type { PollJson, ScheduledStatusJson } from '../../../src/statuses/index.js';
import { ScheduledService } from '../../../src/statuses/index.js';
import { useApp } from '../../support/servers/app.js';
import { holding, waitersOf } from '../../support/locks.js';
import { expectCountersToMatchRows, ok, post } from '../../support/fixtures/statuses.js';
import { upload } from '../../support/fixtures/uploads.js';
import type { Client } from '../../support/fixtures/world.js';

/*
 * Actions on posts, twenty at once (threats D2 to D4): they have one effect, return the documented answers, and none fails.
 * Actions of a single kind are tested in the specs of that kind; here they run together with others.
 */

const PATH = '/api/v1/statuses';
const FANS = Array.from({ length: 20 }, (_, n) => `fan${n}`);

const app = useApp({ once: [] });
let alice: Client;
let bob: Client;
let fans: Client[];

beforeAll(async () => {
  await app.world.persons('alice', 'bob', ...FANS); // once: passwords take long to hash
  [alice, bob] = await Promise.all([app.world.as('alice'), app.world.as('bob')]);
  fans = await Promise.all(FANS.map((name) => app.world.as(name)));
});
/** Every table with data except accounts and their tokens. */
const WRITTEN =
  'home_feed notifications attachments scheduled_statuses statuses tombstones bookmark_folders lists followed_tags blocks follows backups idempotency_keys jobs';
beforeEach(async () => {
  for (const table of WRITTEN.split(' ')) await app.sql(`delete from ${table}`);
  await app.sql('update account_stats set statuses_count = 0, followers_count = 0, following_count = 0');
});

/** Counts the answers by status. */
function tally(answers: readonly supertest.Response[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
/** The answers with any other status. */
const besides = (answers: readonly supertest.Response[], ...statuses: number[]) =>
  answers.filter(({ status }) => !statuses.includes(status)).map(({ status, text }) => [status, text]);
const twenty = <T>(work: (turn: number) => PromiseLike<T>) =>
  Promise.all(Array.from({ length: 20 }, (_, turn) => work(turn)));
/** Sends requests at once that must succeed or return 404. */
async function unlessGone(requests: readonly supertest.Test[]): Promise<void> {
  expect(besides(await Promise.all(requests), 200, 404)).toEqual([]);
}
/** Expects that no job failed and none waits for a retry. */
async function expectJobsToEnd(): Promise<void> {
  await app.drain();
  expect(await app.sql('select name, last_error from jobs where attempts > 0')).toEqual([]);
}

describe('D3 a resource with a limit per account', () => {
  it.each([
    ['folders', () => bob.post('/api/v1/svc/bookmark_folders', { name: 'tea' })],
    ['lists', () => bob.post('/api/v1/lists', { title: 'tea' })],
    ['followed tags', () => bob.post('/api/v1/tags/tea/follow')],
    ['endorsements', () => bob.post(`/api/v1/accounts/${app.world.id('alice')}/pin`)],
    ['backups', () => bob.post('/api/v1/svc/backups')],
    ['pins', async () => bob.post(`${PATH}/${(await post(app, 'bob', 'tea')).id}/pin`)],
    [
      'reactions',
      async () =>
        bob.put(`/api/v1/svc/statuses/${(await post(app, 'alice', 'tea')).id}/reactions/${encodeURIComponent('🍵')}`),
    ],
    ['scheduled', () => bob.post(PATH, { status: 'tea', scheduled_at: '2099-01-01T12:00:00Z' })],
  ] as const)('waits for the lock on the %s of its owner', async (kind, send) => {
    await app.world.follow('bob', 'alice');
    const answer = await holding(app, async (holder) => {
      const lock = `select pg_advisory_xact_lock(hashtextextended($1, 0))`;
      await holder.query(lock, [`${kind} ${app.world.id('bob')}`]);
      const sent = Promise.resolve(send());
      await waitersOf(holder, 1);
      await holder.query('commit');
      return sent;
    });
    expect(answer.status).toBe(200);
  });

  it('stays within its limit: only one of twenty concurrent folders becomes the hundredth', async () => {
    await app.sql(
      `insert into bookmark_folders (id, account_id, name) select 'f' || n, $1, 'folder ' || n from generate_series(1, 99) n`,
      [app.world.id('bob')],
    );
    const answers = await twenty((turn) => bob.post('/api/v1/svc/bookmark_folders', { name: `new ${turn}` }));
    expect(tally(answers)).toEqual({ 200: 1, 422: 19 });
    expect(await app.sql('select from bookmark_folders')).toHaveLength(100);
  });

  it('stays within its limit: only one of twenty scheduled posts, new or moved, takes the last place of a day', async () => {
    const [full, other] = ['2099-01-01T12:00:00Z', '2099-01-02T12:00:00Z'];
    await app.sql(
      `insert into scheduled_statuses (account_id, scheduled_at, options)
       select $1, case when n <= 24 then $2 else $3 end::timestamptz, '{"text":"x"}' from generate_series(1, 34) n`,
      [app.world.id('bob'), full, other],
    );
    const movable = await app.sql<{ id: string }>('select id from scheduled_statuses where scheduled_at = $1', [other]);
    const answers = await twenty((turn) =>
      turn % 2
        ? bob.post(PATH, { status: 'later', scheduled_at: full })
        : bob.put(`/api/v1/scheduled_statuses/${movable[turn / 2]!.id}`, { scheduled_at: full }),
    );
    expect(tally(answers)).toEqual({ 200: 1, 422: 19 });
    expect(await app.sql('select from scheduled_statuses where scheduled_at = $1', [full])).toHaveLength(25);
  });

  it('is created once per Idempotency-Key: a scheduled post', async () => {
    const scheduled_at = '2099-01-01T12:00:00Z';
    const answers = await twenty(() => bob.post(PATH, { status: 'once', scheduled_at }).set('idempotency-key', 'k'));
    expect(tally(answers)).toEqual({ 200: 20 });
    expect(await app.sql('select from scheduled_statuses')).toHaveLength(1);
  });
});

describe('D3 a vote', () => {
  const ask = async (options: object = {}) => {
    const poll = { options: ['green', 'black', 'none'], expires_in: 3_600, ...options };
    return (await post(app, 'alice', 'tea?', { poll })).poll as PollJson;
  };
  const vote = (client: Client, { id }: PollJson, ...choices: number[]) =>
    client.post(`/api/v1/polls/${id}/votes`, { choices });

  it.each([false, true])(
    'is counted once when different options are sent at once (multiple choice: %s)',
    async (multiple) => {
      const poll = await ask({ multiple });
      const answers = await twenty((turn) => vote(bob, poll, turn % 3));
      expect(tally(answers)).toEqual({ 200: 1, 422: 19 });
      const chosen = answers.findIndex(({ status }) => status === 200) % 3;
      const after = await ok<PollJson>(bob.get(`/api/v1/polls/${poll.id}`));
      expect(after).toMatchObject({ own_votes: [chosen], votes_count: 1, voters_count: 1 });
      expect(after.options.map(({ votes_count: count }) => count)).toEqual(
        [0, 1, 2].map((at) => Number(at === chosen)),
      );
    },
  );

  it('sent at the end of its poll is counted and its voter notified, or neither', async () => {
    const poll = await ask();
    const end = async () => {
      await app.sql(`update polls set expires_at = now()`);
      await app.sql(`update jobs set run_at = now() where name = 'polls.close'`);
      await app.drain();
    };
    const [answers] = await Promise.all([Promise.all(fans.map((fan) => vote(fan, poll, 0))), end()]);
    expect(besides(answers, 200, 422)).toEqual([]);
    await expectJobsToEnd();
    const voters = FANS.filter((_, at) => answers[at]!.status === 200);
    const told = await app.sql<{ nickname: string }>(
      `select a.nickname from notifications n join accounts a on a.id = n.receiver_id
       where n.type = 'poll' and a.nickname <> 'alice' order by 1`,
    );
    expect(told.map(({ nickname }) => nickname)).toEqual(voters.sort());
    expect(await ok(alice.get(`/api/v1/polls/${poll.id}`))).toMatchObject({ voters_count: voters.length });
  });

  it('that waits while the poll is closed is refused', async () => {
    const poll = await ask();
    await holding(app, async (holder) => {
      await holder.query('update polls set closed = true');
      const late = vote(bob, poll, 0).then((answer) => answer);
      await waitersOf(holder, 1);
      await holder.query('commit');
      expect((await late).body).toEqual({ error: 'Poll has expired' });
    });
    expect(await app.sql('select from poll_votes')).toEqual([]);
  });

  it('returns 404 when an edit removes the poll at the same time', async () => {
    const poll = await ask();
    await holding(app, async (holder) => {
      await holder.query('delete from polls');
      const late = vote(bob, poll, 0).then((answer) => answer);
      await waitersOf(holder, 1);
      await holder.query('commit');
      expect([(await late).status, (await late).body]).toEqual([404, { error: 'Record not found' }]);
    });
  });

  it('sent during edits of its poll leaves correct counts', async () => {
    const { id, poll } = await post(app, 'alice', 'tea?', { poll: { options: ['a', 'b'], expires_in: 3_600 } });
    const answers = await Promise.all([
      ...fans.map((fan) => fan.post(`/api/v1/polls/${poll!.id}/votes`, { choices: [1] })),
      ...[1, 2, 3].map((turn) =>
        alice.put(`${PATH}/${id}`, { status: 'tea?', poll: { options: ['a', `b ${turn}`], expires_in: 3_600 } }),
      ),
    ]);
    expect(besides(answers, 200, 404, 422)).toEqual([]);
    expect(
      await app.sql(
        `select p.voters_count, o.position, o.votes_count from polls p join poll_options o on o.poll_id = p.id
         where p.voters_count <> (select count(*) from poll_votes v where v.poll_id = p.id)
           or o.votes_count <> (select count(*) from poll_votes v where v.poll_id = p.id and o.position = any(v.choices))`,
      ),
    ).toEqual([]);
  });
});

describe('D2 D4 a post that is deleted', () => {
  const DEEDS: Readonly<Record<string, (fan: Client, id: string) => supertest.Test>> = {
    favourited: (fan, id) => fan.post(`${PATH}/${id}/favourite`),
    reblogged: (fan, id) => fan.post(`${PATH}/${id}/reblog`),
    answered: (fan, id) => fan.post(PATH, { status: 'yes', in_reply_to_id: id }),
    quoted: (fan, id) => fan.post(PATH, { status: 'look', quote_id: id }),
    bookmarked: (fan, id) => fan.post(`${PATH}/${id}/bookmark`),
    'reacted to': (fan, id) => fan.put(`/api/v1/svc/statuses/${id}/reactions/${encodeURIComponent('🍵')}`),
    muted: (fan, id) => fan.post(`${PATH}/${id}/mute`),
  };

  it.each(Object.entries(DEEDS))(
    'while it is being %s leaves nothing behind, and no request or job fails',
    async (_, action) => {
      const { id } = await post(app, 'alice', 'tea');
      const actions = fans.map((fan) => action(fan, id));
      await unlessGone([...actions.slice(0, 10), alice.delete(`${PATH}/${id}`), ...actions.slice(10)]);
      await expectJobsToEnd();
      await alice.get(`${PATH}/${id}`).expect(404);
      expect(await app.sql('select from statuses where reblog_of_id is not null')).toEqual([]);
      for (const table of ['favourites', 'bookmarks', 'reactions', 'pins'])
        expect(await app.sql(`select from ${table}`)).toEqual([]);
      await expectCountersToMatchRows(app);
    },
  );

  it('while its author pins and edits it is deleted exactly once', async () => {
    const { id } = await post(app, 'alice', 'tea', { poll: { options: ['a', 'b'], expires_in: 3_600 } });
    const deletions = await Promise.all([
      ...[1, 2, 3].map(() => alice.post(`${PATH}/${id}/pin`)),
      ...[1, 2, 3].map((turn) => alice.put(`${PATH}/${id}`, { status: `tea ${turn}` })),
      ...[1, 2, 3].map(() => alice.delete(`${PATH}/${id}`)),
      ...[1, 2, 3].map(() => alice.post(`${PATH}/${id}/unpin`)),
    ]);
    expect(besides(deletions, 200, 404, 422)).toEqual([]);
    expect(tally(deletions.slice(6, 9))).toEqual({ 200: 1, 404: 2 });
    expect(await app.sql('select from tombstones')).toHaveLength(1);
    await expectJobsToEnd();
    await expectCountersToMatchRows(app);
  });
});

describe('D3 a scheduled post', () => {
  it('that is cancelled at its time is either posted or cancelled', async () => {
    const outcomes = new Set<number>();
    for (let round = 0; round < 20; round += 1) {
      const { id: media } = await upload(app, 'bob');
      const scheduled_at = new Date(Date.now() + 86_400_000).toISOString();
      const { id } = await ok<ScheduledStatusJson>(
        bob.post(PATH, { status: `round ${round}`, media_ids: [media], scheduled_at }),
      );
      await app.sql('update scheduled_statuses set scheduled_at = now()');
      const publish = () => app.get(ScheduledService).post({ scheduledId: id });
      const cancel = () => bob.delete(`/api/v1/scheduled_statuses/${id}`);
      const [, answer] = await (round % 2 ? Promise.all([publish(), cancel()]) : bothReversed(publish, cancel));
      const made = await app.sql('select from statuses where content_text = $1', [`round ${round}`]);
      expect([answer.status, made.length]).toEqual(answer.status === 200 ? [200, 0] : [404, 1]);
      const [upl] = await app.sql<{ used: boolean }>(
        'select status_id is not null as used from attachments where id = $1',
        [media],
      );
      expect(upl).toEqual({ used: answer.status === 404 });
      outcomes.add(answer.status);
    }
    expect(await app.sql('select from scheduled_statuses')).toEqual([]);
  });

  async function bothReversed<A, B>(one: () => Promise<A>, other: () => PromiseLike<B>): Promise<[A, B]> {
    const [second, first] = await Promise.all([other(), one()]);
    return [first, second];
  }
});

describe('V10 a block', () => {
  it('during favourites, boosts and replies of the blocked accounts leaves correct counts and no notifications', async () => {
    const { id } = await post(app, 'alice', 'tea');
    const actions = fans.flatMap((fan) => [
      fan.post(`${PATH}/${id}/favourite`),
      fan.post(`${PATH}/${id}/reblog`),
      fan.post(PATH, { status: '@alice', in_reply_to_id: id }),
    ]);
    const blocks = FANS.map((name) => alice.post(`/api/v1/accounts/${app.world.id(name)}/block`));
    const answers = await Promise.all([...actions, ...blocks]);
    expect(besides(answers, 200, 403)).toEqual([]);
    await expectJobsToEnd();
    await expectCountersToMatchRows(app);
    expect(await ok(alice.get('/api/v1/notifications'))).toEqual([]);
    for (const action of ['favourite', 'reblog']) {
      expect(tally(await Promise.all(fans.map((fan) => fan.post(`${PATH}/${id}/${action}`))))).toEqual({ 403: 20 });
    }
  });
});
