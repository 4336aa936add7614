import {
  INBOX_HOST_ADDRESS,
  type InboxHost,
  type Received,
  startInboxHost,
} from '../../support/federation/inbox-host.js';
import { ok, reblog } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';
import { useApp } from '../../support/servers/app.js';

/** The jobs of events may run in any order: that of an end after those of what was done again since. */
describe('What is done again before its end is sent', () => {
  const app = useApp({ people: ['alice'], env: { ALLOWED_PRIVATE_ADDRESSES: INBOX_HOST_ADDRESS } });
  let far: InboxHost;
  let alice: Client;
  let zoe: string;

  beforeEach(async () => {
    alice = await app.world.as('alice');
    far = await startInboxHost();
    zoe = await far.account(app, 'zoe');
  });
  afterEach(() => far.close());

  /** The activities that the other server received after all jobs. */
  async function sent(): Promise<Received['activity'][]> {
    await app.drain();
    return far.received().map(({ activity }) => activity);
  }

  /** Delays the waiting jobs of a name; returns what makes them due. */
  async function delayed(name: string): Promise<() => Promise<unknown>> {
    const runAt = (when: string) => app.sql(`update jobs set run_at = ${when} where name = $1`, [name]);
    await runAt(`now() + interval '1 hour'`);
    return () => runAt('now()');
  }

  it('is not ended, if it is a follow: its Undo would end the new one', async () => {
    await ok(alice.post(`/api/v1/accounts/${zoe}/follow`));
    await sent();
    await ok(alice.post(`/api/v1/accounts/${zoe}/unfollow`));
    const makeDue = await delayed('federation.undo-follow');
    await ok(alice.post(`/api/v1/accounts/${zoe}/follow`));
    const [again, ...more] = await sent();
    expect([again?.type, more]).toEqual(['Follow', []]);
    await makeDue();
    expect(await sent()).toEqual([]);
    await ok(alice.post(`/api/v1/accounts/${zoe}/unfollow`));
    expect(await sent()).toMatchObject([{ type: 'Undo', object: { id: again?.id } }]);
  });

  it('is ended first, if it is a boost', async () => {
    const post = { id: 'REMOTE000000000001', uri: `${far.uri('zoe')}/notes/1` };
    await app.sql(
      `insert into statuses (id, author_id, uri, visibility, content_html, local) values ($1, $2, $3, 0, 'far', false)`,
      [post.id, zoe, post.uri],
    );
    await app.sql('insert into status_stats (status_id) values ($1)', [post.id]);
    const boost = async () => {
      const { id } = await reblog(app, 'alice', post.id);
      return (await app.sql<{ uri: string }>('select uri from statuses where id = $1', [id]))[0]?.uri;
    };
    const first = await boost();
    await sent();
    await ok(alice.post(`/api/v1/statuses/${post.id}/unreblog`));
    const makeDue = await delayed('federation.send-deleted');
    const second = await boost();
    expect(await sent()).toMatchObject([
      { type: 'Undo', object: { id: first } },
      { type: 'Announce', id: second },
    ]);
    await makeDue();
    expect(await sent()).toEqual([]);
    await ok(alice.post(`/api/v1/statuses/${post.id}/unreblog`));
    expect(await sent()).toMatchObject([{ type: 'Undo', object: { id: second } }]);
  });
});
