import { InboxDrainService } from '../../../src/federation/inbox/inbox-drain.service.js';
import { ok } from '../../support/fixtures/statuses.js';
import { type Member, type Post, type Server, usePair } from '../../support/federation/servers.js';

const pair = usePair();
let alice: Member;
let carol: Member;
let bob: Member;

/** alice and carol on alpha, bob on beta; bob follows both, alice follows bob. */
beforeAll(async () => {
  [alice, carol] = await Promise.all([pair.alpha.member('alice'), pair.alpha.member('carol')]);
  bob = await pair.beta.member('bob');
  for (const author of [alice, carol]) await bob.follow(author);
  await alice.follow(bob);
  await pair.settle();
});

/** Delivers the activities of `sender` and delays them in the inbox of `receiver`. */
async function delay(sender: Server, receiver: Server): Promise<void> {
  await sender.drain();
  const held = await receiver.sql(`update inbox_queue set run_at = now() + interval '1 hour' returning id`);
  expect(held).toHaveLength(1);
}
/** Lets `receiver` process the delayed activity after everything else. */
async function processDelayed(receiver: Server): Promise<void> {
  for (let ran = 1; ran > 0;) ran = (await pair.alpha.drain()) + (await pair.beta.drain());
  await receiver.sql('update inbox_queue set run_at = now()');
  await receiver.get(InboxDrainService).drain();
  await pair.settle();
}
const stored = (server: Server, { uri }: Post) => server.sql('select from statuses where uri = $1', [uri]);
const reblogs = (server: Server) => server.sql('select from statuses where reblog_of_id is not null');
const remove = ({ id }: { id: string }) => ok(alice.delete(`/api/v1/statuses/${id}`));

describe('an activity that arrives late', () => {
  it('F10 does not bring back a post whose Delete came before its Create', async () => {
    const post = await alice.write('tea');
    await delay(pair.alpha, pair.beta);
    await remove(post);
    await processDelayed(pair.beta);
    expect(await stored(pair.beta, post)).toEqual([]);
  });

  it('F10 does not replace the text of an Update that came before its Create', async () => {
    const post = await alice.write('tea');
    await delay(pair.alpha, pair.beta);
    await ok(alice.put(`/api/v1/statuses/${post.id}`, { status: 'coffee' }));
    await processDelayed(pair.beta);
    expect((await bob.copyOf(post))!.content).toContain('coffee');
  });

  it('F10 does not restore the text of an older Update', async () => {
    const post = await alice.write('tea');
    await pair.settle();
    await ok(alice.put(`/api/v1/statuses/${post.id}`, { status: 'coffee' }));
    await delay(pair.alpha, pair.beta);
    await ok(alice.put(`/api/v1/statuses/${post.id}`, { status: 'water' }));
    await processDelayed(pair.beta);
    expect((await bob.copyOf(post))!.content).toContain('water');
  });
});

describe('a boost of a deleted post', () => {
  it('F11 is deleted with the post on both servers', async () => {
    const post = await alice.write('tea');
    await pair.settle();
    await bob.act(post, 'reblog');
    await ok(carol.post(`/api/v1/statuses/${post.id}/reblog`));
    await pair.settle();
    for (const server of [pair.alpha, pair.beta]) expect(await reblogs(server)).toHaveLength(2);
    await remove(post);
    await pair.settle();
    for (const server of [pair.alpha, pair.beta]) expect(await reblogs(server)).toEqual([]);
  });

  it('F11 is not stored by the server of the post', async () => {
    const post = await alice.write('tea');
    await pair.settle();
    await bob.act(post, 'reblog');
    await delay(pair.beta, pair.alpha);
    await remove(post);
    await processDelayed(pair.alpha);
    expect(await reblogs(pair.alpha)).toEqual([]);
    expect(await alice.notifications('reblog')).toEqual([]);
  });

  it('F11 does not bring the post back to another server', async () => {
    const post = await alice.write('tea');
    await pair.settle();
    await ok(carol.post(`/api/v1/statuses/${post.id}/reblog`));
    await delay(pair.alpha, pair.beta);
    await remove(post);
    await processDelayed(pair.beta);
    expect(await stored(pair.beta, post)).toEqual([]);
    expect(await reblogs(pair.beta)).toEqual([]);
  });
});

describe('activities that two processes drain at the same time', () => {
  it('F9 take effect once', async () => {
    const posts = [await alice.write('tea'), await alice.write('coffee'), await carol.write('water')];
    const count = async () => (await pair.beta.sql('select sum(statuses_count)::int as count from account_stats'))[0];
    const before = (await count()) as { count: number };
    await pair.alpha.drain();
    const drain = pair.beta.get(InboxDrainService);
    await Promise.all([drain.drain(), drain.drain()]);
    await pair.settle();
    for (const post of posts) expect(await stored(pair.beta, post)).toHaveLength(1);
    expect(await count()).toEqual({ count: before.count + posts.length });
    expect(await pair.beta.sql('select from inbox_queue')).toEqual([]);
  });
});
