import type { IncomingMessage, Server as HttpServer } from 'node:http';
import { type Member, type Server, usePair } from '../support/federation/servers.js';
import { ok } from '../support/fixtures/statuses.js';

const pair = usePair();
let casts = 0;

/** Creates new accounts: alice on alpha, bob on beta. */
async function cast({ locked = false } = {}): Promise<{ alice: Member; bob: Member }> {
  casts += 1;
  const { alpha, beta } = pair;
  const [alice, bob] = await Promise.all([alpha.member(`alice${casts}`), beta.member(`bob${casts}`, { locked })]);
  return { alice, bob };
}

/** The follow as a server stores it: the URI of its activity and whether it is accepted. */
const rowOn = (server: Server, from: Member, to: Member) =>
  server.sql<{ uri: string; accepted: boolean }>(
    `select f.uri, f.state = 1 as accepted from follows f
     join accounts a on a.id = f.follower_id join accounts b on b.id = f.followee_id
     where a.ap_id = $1 and b.ap_id = $2`,
    [from.uri, to.uri],
  );
const rows = async (from: Member, to: Member) => [await rowOn(pair.alpha, from, to), await rowOn(pair.beta, from, to)];
const follow = async (from: Member, to: Member) => {
  await from.follow(to);
  await pair.settle();
};
const act = async (who: Member, verb: string, other: Member) => {
  await ok(who.post(`/api/v1/accounts/${await who.idOf(other)}/${verb}`));
  await pair.settle();
};
const decide = async (who: Member, verb: 'authorize' | 'reject', other: Member) => {
  await ok(who.post(`/api/v1/follow_requests/${await who.idOf(other)}/${verb}`));
  await pair.settle();
};
const followers = async (who: Member) =>
  (await ok<{ acct: string }[]>(who.get(`/api/v1/accounts/${who.id}/followers`))).map(({ acct }) => acct);
const counts = (who: Member) =>
  ok<{ followers_count: number; following_count: number }>(who.get('/api/v1/accounts/verify_credentials'));

describe('a follow of an account on another server', () => {
  it('is pending until the answer arrives, and is then stored equally on both servers', async () => {
    const { alice, bob } = await cast();
    expect(await alice.follow(bob)).toMatchObject({ following: false, requested: true });
    await pair.settle();
    expect(await alice.relationTo(bob)).toMatchObject({ following: true, requested: false });
    expect(await bob.relationTo(alice)).toMatchObject({ followed_by: true });
    const [here, there] = await rows(alice, bob);
    expect(here).toEqual([{ uri: expect.stringMatching(`^${pair.alpha.url}/`), accepted: true }]);
    expect(there).toEqual(here);
  });

  it('notifies the followed account and is counted on both servers', async () => {
    const { alice, bob } = await cast();
    await follow(alice, bob);
    expect(await bob.notifications('follow')).toMatchObject([{ account: { acct: alice.handle } }]);
    expect(await followers(bob)).toEqual([alice.handle]);
    expect(await counts(alice)).toMatchObject({ following_count: 1 });
    expect(await counts(bob)).toMatchObject({ followers_count: 1 });
  });

  it('makes the other server fetch the actor of the follower exactly once', async () => {
    const { alice, bob } = await cast();
    const fetched: string[] = [];
    const server: HttpServer = pair.beta.nest.getHttpServer();
    const listen = ({ method, url }: IncomingMessage) => fetched.push(`${method} ${url}`);
    server.on('request', listen);
    await follow(bob, alice);
    server.off('request', listen);
    expect(await followers(alice)).toEqual([bob.handle]);
    expect(fetched.filter((request) => request === `GET /users/${bob.nickname}`)).toHaveLength(1);
  });

  it('can be mutual', async () => {
    const { alice, bob } = await cast();
    await follow(alice, bob);
    await follow(bob, alice);
    expect(await alice.relationTo(bob)).toMatchObject({ following: true, followed_by: true });
    expect(await bob.relationTo(alice)).toMatchObject({ following: true, followed_by: true });
  });

  it('ends when the follower unfollows', async () => {
    const { alice, bob } = await cast();
    await follow(alice, bob);
    await act(alice, 'unfollow', bob);
    expect(await rows(alice, bob)).toEqual([[], []]);
    expect(await followers(bob)).toEqual([]);
    expect(await counts(bob)).toMatchObject({ followers_count: 0 });
  });

  it('ends when the followed account removes the follower', async () => {
    const { alice, bob } = await cast();
    await follow(alice, bob);
    await act(bob, 'remove_from_followers', alice);
    expect(await alice.relationTo(bob)).toMatchObject({ following: false, requested: false });
    expect(await rows(alice, bob)).toEqual([[], []]);
  });

  it('can be made again after it ended', async () => {
    const { alice, bob } = await cast();
    await follow(alice, bob);
    await act(alice, 'unfollow', bob);
    await follow(alice, bob);
    expect(await alice.relationTo(bob)).toMatchObject({ following: true });
    expect(await followers(bob)).toEqual([alice.handle]);
  });

  it('is accepted again when the server of the follower has lost it', async () => {
    const { alice, bob } = await cast();
    await follow(alice, bob);
    await pair.alpha.sql('delete from follows where follower_id = $1', [alice.id]);
    await follow(alice, bob);
    expect(await alice.relationTo(bob)).toMatchObject({ following: true });
    expect(await bob.notifications('follow')).toHaveLength(1);
  });
});

describe('a follow of a locked account on another server', () => {
  it('waits for approval', async () => {
    const { alice, bob } = await cast({ locked: true });
    await follow(alice, bob);
    expect(await alice.relationTo(bob)).toMatchObject({ following: false, requested: true });
    expect(await bob.notifications('follow_request')).toMatchObject([{ account: { acct: alice.handle } }]);
    await decide(bob, 'authorize', alice);
    expect(await alice.relationTo(bob)).toMatchObject({ following: true, requested: false });
    expect(await followers(bob)).toEqual([alice.handle]);
  });

  it('is removed when it is rejected', async () => {
    const { alice, bob } = await cast({ locked: true });
    await follow(alice, bob);
    await decide(bob, 'reject', alice);
    expect(await alice.relationTo(bob)).toMatchObject({ following: false, requested: false });
    expect(await rows(alice, bob)).toEqual([[], []]);
  });

  it('can be withdrawn', async () => {
    const { alice, bob } = await cast({ locked: true });
    await follow(alice, bob);
    await act(alice, 'unfollow', bob);
    expect(await ok<unknown>(bob.get('/api/v1/follow_requests'))).toEqual([]);
    expect(await rows(alice, bob)).toEqual([[], []]);
  });

  it('is accepted when the account is unlocked', async () => {
    const { alice, bob } = await cast({ locked: true });
    await follow(alice, bob);
    await ok(bob.patch('/api/v1/accounts/update_credentials', { locked: false }));
    await pair.settle();
    expect(await alice.relationTo(bob)).toMatchObject({ following: true, requested: false });
  });

  it('is accepted again when the server of the follower has lost it', async () => {
    const { alice, bob } = await cast({ locked: true });
    await follow(alice, bob);
    await decide(bob, 'authorize', alice);
    await pair.alpha.sql('delete from follows where follower_id = $1', [alice.id]);
    await follow(alice, bob);
    expect(await alice.relationTo(bob)).toMatchObject({ following: true, requested: false });
    expect(await bob.notifications('follow_request')).toEqual([]);
  });
});

describe('a block across servers', () => {
  it('ends the follows of both directions on both servers', async () => {
    const { alice, bob } = await cast();
    await follow(alice, bob);
    await follow(bob, alice);
    await act(bob, 'block', alice);
    expect(await rows(alice, bob)).toEqual([[], []]);
    expect(await rows(bob, alice)).toEqual([[], []]);
    expect(await alice.relationTo(bob)).toMatchObject({ following: false, followed_by: false, blocked_by: true });
    expect(await bob.relationTo(alice)).toMatchObject({ following: false, followed_by: false, blocking: true });
  });

  it('refuses a new follow', async () => {
    const { alice, bob } = await cast();
    await act(bob, 'block', alice);
    await pair.alpha.sql('delete from blocks'); // as if the block had never been delivered
    await follow(alice, bob);
    expect(await alice.relationTo(bob)).toMatchObject({ following: false, requested: false });
    expect(await rows(alice, bob)).toEqual([[], []]);
  });

  it('ends with an unblock that does not restore the old follows', async () => {
    const { alice, bob } = await cast();
    await follow(alice, bob);
    await act(bob, 'block', alice);
    await act(bob, 'unblock', alice);
    expect(await alice.relationTo(bob)).toMatchObject({ following: false, blocked_by: false });
    await follow(alice, bob);
    expect(await alice.relationTo(bob)).toMatchObject({ following: true });
  });
});

describe('a mute across servers', () => {
  it('sends nothing to the other server', async () => {
    const { alice, bob } = await cast();
    await follow(alice, bob);
    const before = await pair.alpha.sql('select count(*) from deliveries');
    await act(alice, 'mute', bob);
    expect(await pair.alpha.sql('select count(*) from deliveries')).toEqual(before);
    expect(await followers(bob)).toEqual([alice.handle]);
  });
});
