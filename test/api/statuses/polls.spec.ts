import { BlocksService } from '../../../src/accounts/index.js';
import { type PollJson, PollShape, type PlainStatusJson, PlainStatusShape } from '../../../src/statuses/index.js';
import { useApp } from '../../support/servers/app.js';
import { checkShape } from '../../support/shape.js';
import { ok, post } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

const STATUSES = '/api/v1/statuses';
const POLLS = '/api/v1/polls';
const TEA = { options: ['green', 'black', 'none'], expires_in: 3_600 };

const app = useApp({ people: ['alice', 'bob', 'carol'] });
let alice: Client;
let bob: Client;
let carol: Client;

beforeEach(async () => {
  [alice, bob, carol] = await Promise.all([app.world.as('alice'), app.world.as('bob'), app.world.as('carol')]);
});

async function ask(poll: object = {}, options: object = {}): Promise<PollJson> {
  return (await post(app, 'alice', 'tea?', { poll: { ...TEA, ...poll }, ...options })).poll as PollJson;
}
const vote = (client: Client, { id }: PollJson, ...choices: unknown[]) =>
  client.post(`${POLLS}/${id}/votes`, { choices });
const countsOf = ({ options }: PollJson) => options.map((option) => option.votes_count);
const end = () => app.sql(`update polls set expires_at = now() - interval '1 second'`);

describe('a poll', () => {
  it('is created with a post, with or without a text', async () => {
    const made = await post(app, 'alice', 'tea?', { poll: TEA });
    expect(checkShape(PlainStatusShape, made)).toEqual([]);
    expect(made.poll).toMatchObject({
      expired: false,
      multiple: false,
      votes_count: 0,
      voters_count: 0,
      voted: true, // authors cannot vote
      own_votes: [],
      options: TEA.options.map((title) => ({ title, votes_count: 0 })),
    });
    const form = 'poll[options][]=a&poll[options][]=b&poll[expires_in]=300&poll[multiple]=true';
    const { token } = alice;
    const answer = await app.http.post(STATUSES).auth(token, { type: 'bearer' }).type('form').send(form).expect(200);
    expect((answer.body as PlainStatusJson).poll).toMatchObject({
      multiple: true,
      options: [{ title: 'a' }, { title: 'b' }],
    });
  });

  it('is shown in a preview and not stored', async () => {
    const shown = await post(app, 'alice', 'tea?', { poll: TEA, preview: true });
    expect(checkShape(PlainStatusShape, shown)).toEqual([]);
    expect(shown.poll).toMatchObject({ options: TEA.options.map((title) => ({ title, votes_count: 0 })) });
    expect(await app.sql('select from polls')).toEqual([]);
  });

  it.each([
    ['Invalid poll', { options: undefined }],
    ['Invalid poll', { expires_in: undefined }],
    ['Poll must contain at least 2 options', { options: ['one'] }],
    ["Poll can't contain more than 20 options", { options: Array.from({ length: 21 }, (_, at) => `${at}`) }],
    ['Poll options cannot be longer than 200 characters each', { options: ['a', 'x'.repeat(201)] }],
    ["Poll options can't be empty", { options: ['a', ' \u200b '] }],
    ['Poll options must differ from each other', { options: ['a', 'a '] }],
    ['Expiration date is too far in the future', { expires_in: 31_536_001 }],
    ['Expiration date is too soon', { expires_in: -1 }],
  ])('is refused with 422: %s', async (error, wrong) => {
    await alice.post(STATUSES, { status: 'tea?', poll: { ...TEA, ...wrong } }).expect(422, { error });
    expect(await app.sql('select from statuses')).toEqual([]);
  });

  it('V3 is shown only to viewers who may see its post, and to anonymous viewers without voted and own_votes', async () => {
    const open = await ask();
    const seen = await ok<PollJson>(app.world.anonymous.get(`${POLLS}/${open.id}`));
    expect(checkShape(PollShape, seen)).toEqual([]);
    expect(seen).not.toHaveProperty('voted');
    expect(seen).not.toHaveProperty('own_votes');
    expect(await ok(app.world.anonymous.get('/api/v1/timelines/public'))).toMatchObject([{ poll: seen }]);
    const secret = await ask({}, { visibility: 'private' });
    const gone = { error: 'Record not found' };
    for (const client of [bob, app.world.anonymous]) await client.get(`${POLLS}/${secret.id}`).expect(404, gone);
    await vote(bob, secret, 0).expect(404, gone);
    expect(await ok<PollJson>(alice.get(`${POLLS}/${secret.id}`))).toMatchObject({ id: secret.id });
  });
});

describe('a vote', () => {
  it('counts, cannot be changed, and is shown in the post', async () => {
    const poll = await ask();
    const after = await ok<PollJson>(vote(bob, poll, 1));
    expect(after).toMatchObject({ voted: true, own_votes: [1], votes_count: 1, voters_count: 1 });
    expect(countsOf(after)).toEqual([0, 1, 0]);
    await vote(bob, poll, 0).expect(422, { error: 'Already voted' });
    const [shown] = await ok<PlainStatusJson[]>(carol.get('/api/v1/timelines/public'));
    expect(shown!.poll).toMatchObject({ voted: false, own_votes: [], votes_count: 1 });
    const [own] = await ok<PlainStatusJson[]>(bob.get('/api/v1/timelines/public'));
    expect(own!.poll).toEqual(after);
  });

  it('may choose several options only in a multiple-choice poll', async () => {
    const single = await ask();
    await vote(bob, single, 0, 1).expect(422, { error: 'Too many choices' });
    const several = await ask({ multiple: true });
    const after = await ok<PollJson>(bob.post(`${POLLS}/${several.id}/votes`, { choices: '0,2' }));
    expect(after).toMatchObject({ own_votes: [0, 2], votes_count: 2, voters_count: 1 });
    expect(countsOf(await ok<PollJson>(vote(carol, several, '2', '2')))).toEqual([1, 0, 2]);
  });

  it('V9 V10 is refused to the author and to blocked accounts, for invalid options, and after the end', async () => {
    const poll = await ask();
    await vote(alice, poll, 0).expect(422, { error: "Poll's author can't vote" });
    for (const index of [3, -1, '-1', 2 ** 31, '9'.repeat(40)]) {
      await vote(bob, poll, index).expect(422, { error: 'Invalid indices' });
    }
    await vote(bob, poll).expect(400);
    for (const none of ['green', 1.5, '1e3', '-']) await vote(bob, poll, none).expect(400);
    await app.get(BlocksService).block(app.world.id('alice'), app.world.id('carol'), {});
    await vote(carol, poll, 0).expect(403);
    await end();
    await vote(bob, poll, 0).expect(422, { error: 'Poll has expired' });
    expect(await app.sql('select from poll_votes')).toEqual([]);
  });

  it('is counted once when it is sent twenty times at once', async () => {
    const poll = await ask({ multiple: true });
    const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => vote(bob, poll, at % 2, 2)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(19).fill(422)]);
    const after = await ok<PollJson>(bob.get(`${POLLS}/${poll.id}`));
    expect(after).toMatchObject({ votes_count: 2, voters_count: 1 });
  });

  it('is counted for each of ten accounts that vote at once', async () => {
    const poll = await ask({ multiple: true });
    const names = Array.from({ length: 10 }, (_, at) => `voter${at}`);
    await app.world.persons(...names);
    const clients = await Promise.all(names.map((name) => app.world.as(name)));
    await Promise.all(clients.map((client, at) => vote(client, poll, ...(at % 2 ? [2, 0] : [0, 2])).expect(200)));
    expect(await ok<PollJson>(bob.get(`${POLLS}/${poll.id}`))).toMatchObject({ votes_count: 20, voters_count: 10 });
  });
});

describe('hidden counts', () => {
  it('are hidden from all viewers until the poll ends', async () => {
    const poll = await ask({ hide_totals: true });
    expect(countsOf(await ok<PollJson>(vote(bob, poll, 1)))).toEqual([null, null, null]);
    expect(countsOf(await ok<PollJson>(alice.get(`${POLLS}/${poll.id}`)))).toEqual([null, null, null]);
    await end();
    const after = await ok<PollJson>(alice.get(`${POLLS}/${poll.id}`));
    expect(after.expired).toBe(true);
    expect(countsOf(after)).toEqual([0, 1, 0]);
  });
});

describe('the end of a poll', () => {
  const notifications = async (client: Client) => {
    const list = await ok<{ type: string; account: { id: string }; status: PlainStatusJson }[]>(
      client.get('/api/v1/notifications', { types: ['poll'] }),
    );
    return list.map(({ account, status }) => [account.id, status.poll?.id]);
  };
  const come = async () => {
    await end();
    await app.sql(`update jobs set run_at = now() where name = 'polls.close'`);
    await app.drain();
  };

  it('notifies its author and the voters once', async () => {
    const poll = await ask();
    await vote(bob, poll, 1).expect(200);
    await app.drain();
    expect(await notifications(bob)).toEqual([]);
    await come();
    expect(await notifications(alice)).toEqual([[app.world.id('alice'), poll.id]]);
    expect(await notifications(bob)).toEqual([[app.world.id('alice'), poll.id]]);
    expect(await notifications(carol)).toEqual([]);
    expect(await app.sql(`select from jobs where name = 'polls.close'`)).toEqual([]);
  });

  it('can be postponed after the notifications: new voters can vote and are notified of the new end', async () => {
    const poll = await ask();
    await vote(bob, poll, 1).expect(200);
    await come();
    const [asked] = await ok<PlainStatusJson[]>(alice.get('/api/v1/timelines/home'));
    await alice.put(`${STATUSES}/${asked!.id}`, { status: 'tea?', poll: { ...TEA, hide_totals: true } }).expect(200);
    const after = await ok<PollJson>(vote(carol, poll, 0));
    expect(after).toMatchObject({ expired: false, voters_count: 2 });
    expect(countsOf(after)).toEqual([null, null, null]);
    await come();
    expect(await notifications(carol)).toEqual([[app.world.id('alice'), poll.id]]);
    expect(countsOf(await ok<PollJson>(carol.get(`${POLLS}/${poll.id}`)))).toEqual([1, 1, 0]);
  });
});
