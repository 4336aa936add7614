import {
  INBOX_HOST_ADDRESS,
  type InboxHost,
  type Received,
  startInboxHost,
} from '../../support/federation/inbox-host.js';
import { makeFollows } from '../../support/fixtures/factories.js';
import { ok, post } from '../../support/fixtures/statuses.js';
import { useApp } from '../../support/servers/app.js';

/** What other servers learn of the counts of a poll here. */
describe('A poll of this server', () => {
  const app = useApp({ people: ['alice', 'bob', 'carol'], env: { ALLOWED_PRIVATE_ADDRESSES: INBOX_HOST_ADDRESS } });
  let far: InboxHost;

  beforeEach(async () => {
    far = await startInboxHost();
    await makeFollows(app, [await far.account(app, 'zoe')], app.world.id('alice'));
  });
  afterEach(() => far.close());

  const sent = async (): Promise<Received['activity'][]> => {
    await app.drain();
    return far.received().map(({ activity }) => activity);
  };
  const run = async (job: string) => {
    await app.sql('update jobs set run_at = now() where name = $1', [job]);
    return sent();
  };
  const ask = async (more: Readonly<Record<string, unknown>> = {}) => {
    const asked = await post(app, 'alice', 'tea?', { poll: { options: ['yes', 'no'], expires_in: 600, ...more } });
    expect(await sent()).toMatchObject([{ type: 'Create', object: { type: 'Question' } }]);
    return asked;
  };
  const vote = async (id: string, name: string) =>
    ok((await app.world.as(name)).post(`/api/v1/polls/${id}/votes`, { choices: [0] }));
  const end = async (statusId: string) => {
    await app.sql(`update polls set expires_at = now() - interval '1 second' where status_id = $1`, [statusId]);
    return run('polls.close');
  };
  const counts = (votersCount: number) => ({
    type: 'Update',
    object: { type: 'Question', votersCount, oneOf: [{ replies: { totalItems: votersCount } }, {}] },
  });

  it('sends its counts later, once for many votes', async () => {
    const { poll } = await ask();
    for (const name of ['bob', 'carol']) await vote(poll!.id, name);
    expect(await sent()).toEqual([]);
    expect(await run('federation.send-poll-counts')).toMatchObject([counts(2)]);
  });

  it('sends hidden counts as zeros, and the result at its end', async () => {
    const { id, poll } = await ask({ hide_totals: true });
    await vote(poll!.id, 'bob');
    expect(await sent()).toEqual([]);
    const before = await run('federation.send-poll-counts');
    expect(before).toMatchObject([counts(0)]);
    const after = await end(id);
    expect(after).toMatchObject([counts(1)]);
    expect(after[0]!['object']).toHaveProperty('closed');
    expect(after[0]!['id']).not.toBe(before[0]!['id']);
  });

  it('sends nothing of its end when it stays on this server', async () => {
    const values = { visibility: 'local', poll: { options: ['yes', 'no'], expires_in: 600 } };
    const { id, poll } = await post(app, 'alice', 'tea?', values);
    await vote(poll!.id, 'bob');
    expect(await end(id)).toEqual([]);
  });
});
