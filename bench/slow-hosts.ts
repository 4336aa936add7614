import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import { type Data, type DataSize, Seeder } from './data.ts';
import { FlakeIds } from './built.ts';
import { PUBLIC, type Senders, signedRequests } from './inbox.ts';
import { requestBytes, runLoad, summaryOf } from './load.ts';
import { memoryOf } from './processes.ts';
import { copyRows } from './fill/copy.ts';
import { Stage } from './stage.ts';

const SIZE: DataSize = { statuses: 2_000, accounts: 100, followees: 20 };
const HOSTS = 50;
/** Slow hosts answer after this time. */
const SLOW_MS = 8_000;
const SECONDS = 60;
/** Activities of the strangers, and posts of the people who name such hosts, in a second. */
const NAMING_PER_SECOND = 10;
const MEASURED_PER_SECOND = 2;
const PATIENCE_MS = 30_000;
const POLL_MS = 5;
/** The longest p99 until a post is there. */
const MOST_MS = 2_000;
/** How much more memory the second half of the time may take. */
const MOST_GROWTH = 1.1;
const ACTIVITY = { 'content-type': 'application/activity+json' };

type Kind = 'good' | 'slow' | 'dead';
const NETS: Readonly<Record<Kind, string>> = { good: '127.5.0', slow: '127.3.0', dead: '127.4.0' };

/** Other servers on addresses of this machine: a good one, slow ones and dead ones. */
class OtherServers implements AsyncDisposable {
  /** When the good server received each post. */
  readonly arrivals = new Map<string, number>();
  readonly asked: Record<Kind, number> = { good: 0, slow: 0, dead: 0 };
  private port = 0;
  private readonly server: Server = createServer((request, response) => void this.answer(request, response));

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '0.0.0.0', resolve));
    this.port = (this.server.address() as AddressInfo).port;
  }

  host(kind: Kind, at = 1): string {
    return `${NETS[kind]}.${at}:${this.port}`;
  }

  url(kind: 'slow' | 'dead'): string {
    return `http://${this.host(kind, 1 + Math.floor(Math.random() * HOSTS))}/${randomUUID()}`;
  }

  get addresses(): string {
    const numbers = Array.from({ length: HOSTS }, (_, at) => at + 1);
    return Object.values(NETS)
      .flatMap((net) => numbers.map((at) => `${net}.${at}`))
      .join(',');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const address = request.socket.localAddress ?? '';
    const kind = (Object.keys(NETS) as Kind[]).find((each) => address.startsWith(NETS[each])) ?? 'dead';
    this.asked[kind] += 1;
    if (kind === 'dead') return;
    if (kind === 'good') {
      const { object } = JSON.parse((await text(request)) || '{}') as { object?: { id?: string } };
      if (object?.id !== undefined) this.arrivals.set(object.id, performance.now());
      response.writeHead(202).end();
      return;
    }
    await delay(SLOW_MS);
    const id = `http://${request.headers.host}${request.url}`;
    const links = { inReplyTo: this.url('slow'), quoteUrl: this.url('slow') };
    const note = { id, type: 'Note', attributedTo: `${id}/author`, content: 'Late', to: [PUBLIC], ...links };
    response.writeHead(200, ACTIVITY).end(JSON.stringify(note));
  }
}

/** Activities of strangers, each of which names many slow and dead hosts. */
function naming({ uris, key }: Senders, servers: OtherServers, count: number): Promise<Buffer[]> {
  const urls = (length: number) => Array.from({ length }, (_, at) => servers.url(at % 2 === 0 ? 'slow' : 'dead'));
  return signedRequests({ uris, key }, count, (actor) => {
    const id = `${actor}/notes/${randomUUID()}`;
    const note = {
      id,
      type: 'Note',
      attributedTo: actor,
      content: `<p>See <a href="${servers.url('slow')}">this</a></p>`,
      inReplyTo: servers.url('slow'),
      quoteUrl: servers.url('dead'),
      tag: urls(20).map((href) => ({ type: 'Mention', href, name: '@somebody' })),
      replies: { type: 'Collection', items: urls(20) },
      to: [PUBLIC],
    };
    return { id: `${id}/activity`, type: 'Create', to: [PUBLIC], object: note };
  });
}

async function follower(stage: Stage, host: string): Promise<void> {
  const id = new FlakeIds().next();
  const [apId, inbox] = [`http://${host}/users/fan`, `http://${host}/inbox`];
  const urls = { ap_id: apId, url: apId, inbox_url: inbox, shared_inbox_url: inbox };
  await copyRows(stage.sql, 'accounts', [{ id, nickname: 'fan', domain: host, ...urls }]);
  await copyRows(stage.sql, 'account_stats', [{ account_id: id }]);
  await stage.sql.query(
    `insert into follows (follower_id, followee_id)
     select $1, id from accounts where nickname = 'writer' and domain is null`,
    [id],
  );
}

/** Notes when each of some posts is stored, until the signal. */
async function watchStored(stage: Stage, missing: Set<string>, stored: Map<string, number>, signal: AbortSignal) {
  while (!signal.aborted) {
    const { rows } = await stage.sql.query<{ uri: string }>('select uri from statuses where uri = any($1)', [
      [...missing],
    ]);
    for (const { uri } of rows) stored.set(uri, performance.now());
    for (const { uri } of rows) missing.delete(uri);
    await delay(POLL_MS);
  }
}

/** The times until something that is begun again and again is there, in milliseconds. */
async function measured(begin: () => Promise<() => number | undefined>, signal: AbortSignal) {
  const waits: Promise<number>[] = [];
  while (!signal.aborted) {
    const start = performance.now();
    const ended = await begin();
    waits.push(
      (async () => {
        for (;;) {
          const at = ended();
          if (at !== undefined) return at - start;
          if (performance.now() - start > PATIENCE_MS) return PATIENCE_MS;
          await delay(POLL_MS);
        }
      })(),
    );
    await delay(1_000 / MEASURED_PER_SECOND);
  }
  return summaryOf(await Promise.all(waits), SECONDS, 0);
}

/**
 * `npm run flood -- slow-host`: strangers and people here name slow and dead hosts in posts, mentions, replies, links and
 * threads, while posts go to and come from a good server (threat S13).
 */
export async function floodOfSlowHosts(signal: AbortSignal): Promise<boolean> {
  await using servers = new OtherServers();
  await servers.open();
  await using stage = await Stage.build(signal);
  const data: Data = await new Seeder(stage.sql, SIZE).seed(signal);
  await follower(stage, servers.host('good'));
  const { port, pid } = await stage.startServer({ ALLOWED_PRIVATE_ADDRESSES: servers.addresses, LOG_LEVEL: 'error' });
  await stage.settled(signal);
  const count = SECONDS * NAMING_PER_SECOND;
  const strangers = await naming({ ...data.senders, uris: data.senders.uris.slice(0, 10) }, servers, count);
  const good = await signedRequests(
    { ...data.senders, uris: data.senders.uris.slice(-1) },
    SECONDS * MEASURED_PER_SECOND,
    (actor) => {
      const id = `${actor}/notes/${randomUUID()}`;
      const note = { id, type: 'Note', attributedTo: actor, content: '<p>News</p>', to: [PUBLIC] };
      return { id: `${id}/activity`, type: 'Create', to: [PUBLIC], object: note };
    },
  );
  const authorization = { authorization: `Bearer ${data.writer}` };
  const over = AbortSignal.any([signal, AbortSignal.timeout(SECONDS * 1_000)]);

  const load = { port, seconds: SECONDS, complaint: () => undefined, signal: over };
  const paced = async (next: () => Buffer | undefined) => {
    while (!over.aborted) {
      const bytes = next();
      if (bytes) void runLoad({ ...load, connections: 1, seconds: 30, next: only(bytes) });
      await delay(1_000 / NAMING_PER_SECOND);
    }
  };
  const attack = [
    paced(() => strangers.pop()),
    paced(() => requestBytes('/api/v1/statuses', authorization, { status: `Read ${servers.url('dead')}` })),
    paced(() => requestBytes('/api/v1/statuses', authorization, { status: `Hello @me@${servers.host('slow', 7)}` })),
  ];
  const sent = measured(async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/statuses`, {
      method: 'POST',
      headers: { ...authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ status: 'To the good server' }),
    });
    const { uri } = (await answer.json()) as { uri: string };
    return () => servers.arrivals.get(uri);
  }, over);
  const [missing, stored] = [new Set<string>(), new Map<string, number>()];
  const received = measured(async () => {
    const bytes = good.pop()!;
    await runLoad({ ...load, connections: 1, seconds: 30, next: only(bytes), status: 202, signal });
    const uri = /"object":\{"id":"([^"]+)"/.exec(bytes.toString())![1]!;
    missing.add(uri);
    return () => stored.get(uri);
  }, over);
  const watched = new AbortController();
  const watching = watchStored(stage, missing, stored, watched.signal);
  await delay((SECONDS * 1_000) / 2);
  const half = memoryOf(pid).nowMb;
  await Promise.all(attack);
  const whole = memoryOf(pid).nowMb;
  const results = { 'a local post reached the good server': await sent, 'its post was here': await received };
  watched.abort();
  await watching;
  for (const [what, { requests, p50Ms, p99Ms }] of Object.entries(results))
    console.log(`${what} after ${p50Ms.toFixed(0)} ms (p50), ${p99Ms.toFixed(0)} ms (p99), ${requests} times`);
  console.log(`asked: ${JSON.stringify(servers.asked)}; memory ${half} MB at half time, ${whole} MB at the end`);
  const isAttacked = servers.asked.slow > 0 && servers.asked.dead > 0;
  return isAttacked && Object.values(results).every(({ p99Ms }) => p99Ms <= MOST_MS) && whole <= half * MOST_GROWTH;
}

function only(bytes: Buffer): () => Buffer | undefined {
  const left = [bytes];
  return () => left.pop();
}
