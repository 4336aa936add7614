import { UsersService } from '../../src/accounts/index.js';
import type { ContextJson } from '../../src/statuses/index.js';
import { ok, post } from './fixtures/statuses.js';
import type { Client, World } from './fixtures/world.js';
import type { TestApp } from './servers/app.js';

/** A change, and whether a read that follows it shows it. */
type Round = readonly [change: (round: number) => PromiseLike<unknown>, isSeen: (round: number) => Promise<boolean>];

/**
 * Changes what Frank may see of Erin, one change after the other, under reads; returns the rounds in which the next read
 * was stale. Both accounts must exist, and are active at the end.
 * @param servers the servers of the reads, in turn: `app` or others with its database
 */
export async function staleRounds(
  app: TestApp,
  servers: readonly Pick<World, 'client'>[],
  rounds: number,
): Promise<number[]> {
  const [author, reader] = await Promise.all([app.world.as('erin'), app.world.as('frank')]);
  const readers = servers.map((server) => server.client(reader.token));
  const [erin, frank] = [app.world.id('erin'), app.world.id('frank')];
  const follow = () => reader.post(`/api/v1/accounts/${erin}/follow`);
  await follow();
  const { id: kept } = await post(app, 'erin', 'for followers', { visibility: 'private' });
  const path = `/api/v1/statuses/${kept}`;
  const at = (round: number): Client => readers[round % readers.length]!;
  const shown = (round: number) => ok<{ content: string; bookmarked: boolean }>(at(round).get(path));
  const hasStatus = (status: number) => async (round: number) => (await at(round).get(path)).status === status;
  let deleted = '';
  let signIn = reader;
  const { id: asked } = await post(app, 'erin', 'a question');
  const thread = `/api/v1/statuses/${asked}/context`;
  const answersAt = async (round: number) =>
    (await ok<ContextJson>(at(round).get(thread))).descendants.map(({ id }) => id);
  let answer = '';
  const kinds: readonly Round[] = [
    [
      (round) => author.put(path, { status: String(round) }),
      async (round) => (await shown(round)).content === `<p>${round}</p>`,
    ],
    [() => reader.post(`/api/v1/accounts/${erin}/unfollow`), hasStatus(404)],
    [follow, hasStatus(200)],
    [() => author.post(`/api/v1/accounts/${frank}/block`), hasStatus(404)],
    [() => author.post(`/api/v1/accounts/${frank}/unblock`).then(follow), hasStatus(200)],
    [() => app.get(UsersService).setActive(erin, false), hasStatus(404)],
    [() => app.get(UsersService).setActive(erin, true), hasStatus(200)],
    [
      async (round) => {
        deleted = `/api/v1/statuses/${(await post(app, 'erin', 'short')).id}`;
        await at(round).get(deleted).expect(200);
        await author.delete(deleted);
      },
      async (round) => (await at(round).get(deleted)).status === 404,
    ],
    [
      async (round) => {
        await answersAt(round);
        answer = (await post(app, 'erin', 'an answer', { in_reply_to_id: asked })).id;
      },
      async (round) => (await answersAt(round)).includes(answer),
    ],
    [() => author.delete(`/api/v1/statuses/${answer}`), async (round) => !(await answersAt(round)).includes(answer)],
    [() => reader.post(`${path}/bookmark`), async (round) => (await shown(round)).bookmarked],
    [() => reader.post(`${path}/unbookmark`), async (round) => !(await shown(round)).bookmarked],
    [
      async (round) => {
        signIn = await app.world.as('frank', 'read', `round${round}`);
        await Promise.all(servers.map((server) => server.client(signIn.token).get(path).expect(200)));
        await app.world.anonymous.post('/oauth/revoke', { token: signIn.token });
      },
      async (round) => (await servers[round % servers.length]!.client(signIn.token).get(path)).status === 401,
    ],
  ];
  const stale: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const [change, isSeen] = kinds[round % kinds.length]!;
    const meanwhile = readers.flatMap((client) => [client.get(path), client.get(thread)]);
    await Promise.all([change(round), ...meanwhile]);
    if (!(await isSeen(round))) stale.push(round);
  }
  await app.get(UsersService).setActive(erin, true); // whichever round was the last
  return stale;
}
