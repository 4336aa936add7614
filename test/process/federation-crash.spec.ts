import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { type Answer, cavageHeaders, newKey, type RawActor, RawPeer } from '../support/federation/raw-peer.js';
import { holding } from '../support/locks.js';
import { startApp, type TestApp } from '../support/servers/app.js';
import { urlOf } from '../support/servers/ctl.js';
import { freePort } from '../support/servers/free-port.js';
import { type Program, Scratch, until } from './scratch.js';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public';
/** The number of rounds of load and a kill; set it for more by hand. */
const ROUNDS = Number(process.env['ROUNDS'] ?? 3);
const SENDERS = 4;
/** The numbers of activities and of posts before effects are held up, and between that and the kill. */
const FREE = 10;
const HELD = 12;
/** The number of simultaneous requests to one server. */
const AT_ONCE = 4;

type Json = Readonly<Record<string, unknown>>;

/** The load on the server in one round. */
interface Load {
  readonly sent: Json[];
  /** Notes whose activity was answered with 202. */
  readonly taken: string[];
  /** Posts and chat messages whose author received the answer. */
  readonly posted: string[];
}

describe('J1 F9 a server that is killed repeatedly', () => {
  const scratch = new Scratch();
  let app: TestApp;
  let peer: RawPeer;
  let rita: RawActor;
  let token: string;
  /** The path of Alice's chat with Rita. */
  let chat: string;
  let server: Program;

  beforeAll(async () => {
    const port = await freePort();
    app = await startApp({ BASE_URL: `http://127.0.0.1:${port}`, PORT: String(port) });
    peer = await RawPeer.start();
    rita = peer.actor('rita', newKey());
    const self = { rel: 'self', type: 'application/activity+json', href: rita.uri };
    peer.answers.set(`/.well-known/webfinger?resource=acct:${rita.handle}`, {
      subject: `acct:${rita.handle}`,
      links: [self],
    });
    peer.answers.set('/users/rita/inbox', { status: 202 });
    await app.world.person('alice');
    token = (await app.world.as('alice')).token;
    server = await start();
    const alice = `${app.env.baseUrl}/users/alice`;
    expect(await send({ id: `${rita.uri}#follow`, type: 'Follow', object: alice })).toBe(202);
    await until('the answer to the follow', () => peer.received.some(({ type }) => type === 'Accept') || undefined);
    const [account] = await app.sql<{ id: string }>('select id from accounts where ap_id = $1', [rita.uri]);
    chat = `/api/v1/svc/chats/${(await write<{ id: string }>(`/api/v1/svc/chats/by-account-id/${account!.id}`, {})).id}/messages`;
  });
  afterAll(async () => {
    await server.stop('SIGKILL');
    await peer.close();
    await app.close();
    await scratch.remove();
  });

  async function start(): Promise<Program> {
    const program = scratch.run(process.execPath, [MAIN], {
      env: {
        BASE_URL: app.env.baseUrl,
        PORT: new URL(app.env.baseUrl).port,
        DATA_DIR: app.env.dataDir,
        DATABASE_URL: urlOf(app.address),
        SECRET_KEY: 'ab'.repeat(32),
        ALLOWED_PRIVATE_ADDRESSES: new URL(peer.url).host,
        RATE_LIMITS: 'off',
        LOG_LEVEL: 'warn',
      },
    });
    await program.line(/ is ready at /);
    return program;
  }

  /** Sends an activity of Rita; returns the status of the answer. */
  async function send(activity: Json): Promise<number> {
    const inbox = `${app.env.baseUrl}/inbox`;
    const body = JSON.stringify({ '@context': 'https://www.w3.org/ns/activitystreams', actor: rita.uri, ...activity });
    const { status } = await fetch(inbox, { method: 'POST', headers: cavageHeaders(rita, inbox, { body }), body });
    return status;
  }

  async function mention({ sent, taken }: Load, round: number): Promise<void> {
    const id = `${rita.uri}/notes/${round}-${sent.length}`;
    const alice = { type: 'Mention', href: `${app.env.baseUrl}/users/alice`, name: '@alice' };
    const parties = { to: [PUBLIC], cc: [alice.href] };
    const object = { id, type: 'Note', attributedTo: rita.uri, content: 'Still here?', tag: [alice], ...parties };
    const create = { id: `${id}#create`, type: 'Create', object, ...parties };
    sent.push(create);
    if ((await send(create)) === 202) taken.push(id);
  }

  /** Sends a request of Alice. */
  async function write<T>(path: string, body: Json): Promise<T> {
    const answer = await fetch(`${app.env.baseUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    return (await answer.json()) as T;
  }

  async function post({ posted }: Load): Promise<void> {
    posted.push((await write<{ uri: string }>('/api/v1/statuses', { status: 'Still there?' })).uri);
  }

  async function say({ posted }: Load): Promise<void> {
    const { id } = await write<{ id: string }>(chat, { content: 'Still there?' });
    const [message] = await app.sql<{ uri: string }>('select uri from chat_messages where id = $1', [id]);
    posted.push(message!.uri);
  }

  /** Sends activities and posts, and kills the server while some effects and some deliveries are pending. */
  async function loadUntilKilled(round: number): Promise<Load> {
    const load: Load = { sent: [], taken: [], posted: [] };
    const untilGone = async (act: () => Promise<void>) => {
      while (server.child.signalCode === null) await act();
    };
    const acts = Array.from({ length: SENDERS }, () => [
      () => mention(load, round),
      () => post(load),
      () => say(load),
    ]).flat();
    const senders = Promise.allSettled(acts.map(untilGone)); // the last requests may or may not be stored
    const done = (count: number) => Math.min(load.taken.length, load.posted.length) >= count || undefined;
    await until('some of both', () => done(FREE + round));
    await holding(app, async (holder) => {
      const released = await holdUp(holder);
      const before = Math.max(load.taken.length, load.posted.length);
      await until('some of both without effect', () => done(before + HELD));
      await server.stop('SIGKILL');
      await senders;
      released();
    });
    await until('the end of its transactions', async () => {
      const open = `select from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and state not in ('idle', 'disabled')`;
      return (await app.sql(open)).length === 0 || undefined;
    });
    return load;
  }

  /** Until the returned function is called, no effect of an activity is stored, and the peer answers no delivery. */
  async function holdUp(holder: pg.Client): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    peer.answers.set('/users/rita/inbox', promise);
    await holder.query(
      `select from account_stats where account_id = (select id from accounts where ap_id = $1) for update`,
      [rita.uri],
    );
    return () => {
      peer.answers.set('/users/rita/inbox', { status: 202 });
      resolve({ status: 202 });
    };
  }

  /** The ids of the activities that brought each post to the peer. */
  function arrivals(): Map<string, unknown[]> {
    const ids = new Map<string, unknown[]>();
    for (const { type, id, object } of peer.received) {
      if (type !== 'Create') continue;
      const { id: uri } = object as { id: string };
      ids.set(uri, [...(ids.get(uri) ?? []), id]);
    }
    return ids;
  }

  /** The numbers of stored tasks that are not done yet. */
  async function owed(): Promise<{ activities: number; deliveries: number; jobs: number }> {
    const [row] = await app.sql<{ activities: number; deliveries: number; jobs: number }>(
      `select (select count(*) from inbox_queue)::int as activities,
         (select count(*) from deliveries)::int as deliveries,
         (select count(*) from jobs where attempts > 0 or run_at <= now())::int as jobs`,
    );
    return row!;
  }

  /** Ends the leases of the dead server and starts a new server, which does the pending work. */
  async function recover({ sent }: Load): Promise<void> {
    await app.sql('update inbox_queue set run_at = now()');
    await app.sql('update jobs set run_at = now() where attempts > 0');
    server = await start();
    for (const create of sent) expect(await send(create)).toBe(202); // remote servers repeat unanswered requests
    await until('everything', async () => {
      const { activities, deliveries, jobs } = await owed();
      return activities + deliveries + jobs === 0 || undefined;
    });
  }

  it.each(Array.from({ length: ROUNDS }, (_, round) => round))(
    'stores every activity and delivers every post and chat message, none twice: round %i',
    async (round) => {
      peer.received.length = 0;
      const { taken, posted, sent } = await loadUntilKilled(round);
      const { activities: owedEffects } = await owed();
      const owedStatuses = posted.filter((uri) => !arrivals().has(uri)).length;
      expect(Math.min(owedEffects, owedStatuses)).toBeGreaterThan(0);
      await recover({ taken, posted, sent });

      const notes = await app.sql<{ uri: string; told: number }>(
        `select s.uri, (select count(*) from notifications n where n.status_id = s.id)::int as told
         from statuses s where s.uri like $1`,
        [`${rita.uri}/notes/${round}-%`],
      );
      expect(taken.filter((id) => !notes.some(({ uri }) => uri === id))).toEqual([]);
      expect(notes).toHaveLength(sent.length);
      expect(notes.filter(({ told }) => told !== 1)).toEqual([]);
      expect(
        await app.sql(`select from accounts a join account_stats s on s.account_id = a.id
          where s.statuses_count <> (select count(*) from statuses p where p.author_id = a.id)`),
      ).toEqual([]);

      const arrived = arrivals();
      expect(posted.filter((uri) => !arrived.has(uri))).toEqual([]);
      expect([...arrived.values()].filter((ids) => new Set(ids).size > 1)).toEqual([]);
      const again = [...arrived.values()].flat().length - arrived.size;
      expect(again).toBeLessThanOrEqual(AT_ONCE); // only deliveries in progress are repeated, with the same activity
      process.stdout.write(
        `kill ${round}: ${taken.length} activities taken, ${owedEffects} of them without effect; ` +
          `${posted.length} posts, ${owedStatuses} of them not delivered; ${again} delivered again\n`,
      );
    },
  );
});
