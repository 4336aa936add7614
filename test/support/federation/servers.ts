import type { AccountJson, RelationshipJson } from '../../../src/accounts/index.js';
import type { NotificationJson } from '../../../src/notifications/index.js';
import type { PlainStatusJson } from '../../../src/statuses/index.js';
import type { Client, PersonOptions } from '../fixtures/world.js';
import { ok } from '../fixtures/statuses.js';
import { startListeningApp, type TestApp } from '../servers/app.js';
import { freePort } from '../servers/free-port.js';
import { useStarted } from '../servers/use.js';

/** One of our servers, listening under its own address. */
export interface Server extends TestApp {
  readonly url: string;
  /** Creates a person and signs in. */
  member(nickname: string, options?: PersonOptions): Promise<Member>;
}

export interface Pair {
  readonly alpha: Server;
  readonly beta: Server;
  settle(): Promise<void>;
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** An account with an actor document, on any server. */
export interface Actor {
  readonly uri: string;
  /** `name@host`, also on the server of the person. */
  readonly handle: string;
}

/** What identifies a post on every server. */
export type Post = Pick<PlainStatusJson, 'uri'>;

/** A person of one of our servers, signed in. */
export interface Member extends Client, Actor {
  readonly id: string;
  readonly nickname: string;
  /** The id of an account on the server of this person, which fetches the account when necessary. */
  idOf(other: Actor): Promise<string>;
  follow(other: Actor, options?: Record<string, unknown>): Promise<RelationshipJson>;
  relationTo(other: Actor): Promise<RelationshipJson>;
  write(status: string, options?: Record<string, unknown>): Promise<PlainStatusJson>;
  /** A post as this person sees it; undefined when it is not stored here or not shown. */
  copyOf(post: Post): Promise<PlainStatusJson | undefined>;
  /** Performs an action on a post of any server: `act(post, 'favourite')`. The post must be stored here. */
  act(post: Post, action: string, values?: Record<string, unknown>): Promise<PlainStatusJson>;
  home(): Promise<PlainStatusJson[]>;
  /** Notifications of a type, the newest first. */
  notifications(type: string): Promise<NotificationJson[]>;
}

/** Starts two servers in this process, each with its own database, that may reach each other but not themselves. */
export async function startPair(overrides: Record<string, string> = {}): Promise<Pair> {
  const ports = await Promise.all([freePort(), freePort()]);
  const [alpha, beta] = await Promise.all([
    startServer(ports[0], [ports[1]], overrides),
    startServer(ports[1], [ports[0]], overrides),
  ]);
  return {
    alpha,
    beta,
    settle: () => settle(alpha, beta),
    reset: async () => {
      await alpha.reset();
      await beta.reset();
    },
    close: async () => {
      await alpha.close();
      await beta.close();
    },
  };
}

/** The two servers of a spec file or a `describe` ({@link startPair}). */
export function usePair(overrides?: Record<string, string>): Pair {
  return useStarted(() => startPair(overrides));
}

/** Two servers with two people each: alice and carol on alpha, bob and erin on beta. */
export interface Cast extends Pair {
  readonly alice: Member;
  readonly carol: Member;
  readonly bob: Member;
  readonly erin: Member;
  /** Posts, and waits until the post has arrived. */
  write(author: Member, text: string, options?: Record<string, unknown>): Promise<PlainStatusJson>;
}

/** Starts two servers on which alice and bob follow each other. */
export async function startCast(): Promise<Cast> {
  const pair = await startPair();
  const { alpha, beta } = pair;
  const [alice, carol] = await Promise.all([alpha.member('alice'), alpha.member('carol')]);
  const [bob, erin] = await Promise.all([beta.member('bob'), beta.member('erin')]);
  await bob.follow(alice);
  await alice.follow(bob);
  await pair.settle();
  const write: Cast['write'] = async (author, text, options) => {
    const post = await author.write(text, options);
    await pair.settle();
    return post;
  };
  return { ...pair, alice, carol, bob, erin, write };
}

/** Starts a server that may reach the given other ports of this machine. */
export async function startServer(
  port: number,
  others: readonly number[],
  overrides: Record<string, string> = {},
): Promise<Server> {
  const reachable = others.map((other) => `127.0.0.1:${other}`).join(',');
  const app = await startListeningApp({ ALLOWED_PRIVATE_ADDRESSES: reachable, ...overrides }, port);
  return {
    ...app,
    url: app.env.baseUrl,
    member: async (nickname, options) => {
      const { id } = await app.world.person(nickname, options);
      return memberOf(app, id, nickname, await app.world.as(nickname));
    },
  };
}

/** Runs the jobs of the servers until none is left. Fails when a federation job failed. */
export async function settle(...servers: readonly TestApp[]): Promise<void> {
  for (let ran = 1; ran > 0;) {
    ran = 0;
    for (const server of servers) ran += await server.drain();
  }
  for (const server of servers) expect(await server.sql(TROUBLED)).toEqual([]);
}

/** The errors of federation jobs that wait for another attempt. */
const TROUBLED = `
  select name as what, last_error from jobs
  where last_error is not null and queue in ('federate', 'ask', 'deliver', 'inbox')
  union all select body, last_error from inbox_queue
  union all select inbox, 'not delivered' from deliveries`;

function memberOf(app: TestApp, id: string, nickname: string, client: Client): Member {
  const { baseUrl, handleDomain } = app.env;
  const idOf = async ({ handle }: Actor) => {
    const search = { q: `@${handle}`, resolve: true };
    const [account] = await ok<AccountJson[]>(client.get('/api/v1/accounts/search', search));
    if (account) return account.id;
    const blocked = await client.get('/api/v1/accounts/lookup', { acct: handle }); // a search leaves out whom one blocks
    if (blocked.status !== 200) throw new Error(`${handle} is not found on ${handleDomain}`);
    return (blocked.body as AccountJson).id;
  };
  const stored = async ({ uri }: Post) => {
    const [row] = await app.sql<{ id: string }>('select id from statuses where uri = $1', [uri]);
    return row?.id;
  };
  return {
    ...client,
    id,
    nickname,
    uri: `${baseUrl}/users/${nickname}`,
    handle: `${nickname}@${handleDomain}`,
    idOf,
    follow: async (other, options = {}) => ok(client.post(`/api/v1/accounts/${await idOf(other)}/follow`, options)),
    relationTo: async (other) => {
      const query = { 'id[]': await idOf(other) };
      const [relationship] = await ok<RelationshipJson[]>(client.get('/api/v1/accounts/relationships', query));
      return relationship!;
    },
    write: (status, options = {}) => ok(client.post('/api/v1/statuses', { status, ...options })),
    copyOf: async (post) => {
      const here = await stored(post);
      if (here === undefined) return undefined;
      const answer = await client.get(`/api/v1/statuses/${here}`);
      if (answer.status === 404) return undefined;
      expect(answer.status).toBe(200);
      return answer.body as PlainStatusJson;
    },
    act: async (post, action, values = {}) => {
      const here = await stored(post);
      if (here === undefined) throw new Error(`${post.uri} is not stored on ${handleDomain}`);
      return ok(client.post(`/api/v1/statuses/${here}/${action}`, values));
    },
    home: () => ok(client.get('/api/v1/timelines/home', { limit: 40 })),
    notifications: (type) => ok(client.get('/api/v1/notifications', { 'types[]': type, limit: 40 })),
  };
}
