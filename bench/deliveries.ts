import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { FlakeIds } from './built.ts';
import { type LoadResult, summaryOf } from './load.ts';
import { copyRows } from './fill/copy.ts';

/** The most followers of one kind. */
const MOST = { live: 100, dead: 500, slow: 50 };
const NETS = { live: '127.1', dead: '127.2', slow: '127.6' } as const;
const KINDS = Object.keys(NETS) as (keyof typeof NETS)[];
/** Slow servers answer after this time. */
const SLOW_MS = 8_000;
const PATIENCE_MS = 60_000;
const POLL_MS = 2;

/** One dead server in so many takes connections and never answers; the others close them. */
const SILENT = 5;

/** How many servers of each kind follow the author. */
export interface Followers {
  readonly live: number;
  readonly dead: number;
  /** Servers that take what they get, but late. */
  readonly slow?: number;
}

/** Other servers, each with one account and an inbox: addresses of this machine, on one port. */
export class Inboxes implements AsyncDisposable {
  /** How many connections dead servers refused, and requests slow ones let wait. */
  readonly asked = { dead: 0, slow: 0 };
  private readonly arrivals = new Map<string, number[]>();
  private readonly server: Server;
  private readonly held = new Set<Socket>();
  private isSeeded = false;

  private constructor(server: Server) {
    this.server = server;
    server.on('connection', (socket) => {
      const address = socket.localAddress ?? '';
      if (isDead(address)) this.asked.dead += 1;
      if (isDead(address) && Number(address.split('.')[3]) % SILENT > 0) socket.destroy();
      else this.held.add(socket.on('close', () => this.held.delete(socket)));
    });
    server.on('request', (request: IncomingMessage, response) => {
      if (isDead(request.socket.localAddress ?? '')) return;
      if (request.method !== 'POST') return void response.writeHead(404, { 'content-length': '0' }).end();
      if (request.socket.localAddress?.startsWith(`${NETS.slow}.`)) {
        this.asked.slow += 1;
        setTimeout(() => response.writeHead(202, { 'content-length': '0' }).end(), SLOW_MS).unref();
        return void request.resume();
      }
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { object } = JSON.parse(Buffer.concat(chunks).toString()) as { object?: { id?: string } };
        if (object?.id !== undefined) this.arrivalsOf(object.id).push(performance.now());
        response.writeHead(202, { 'content-length': '0' }).end();
      });
    });
  }

  static async open(): Promise<Inboxes> {
    const inboxes = new Inboxes(createServer());
    await new Promise<void>((resolve) => inboxes.server.listen(0, '0.0.0.0', resolve));
    return inboxes;
  }

  /** The value of ALLOWED_PRIVATE_ADDRESSES. */
  get addresses(): string {
    return this.allHosts()
      .map((host) => host.split(':')[0])
      .join(',');
  }

  /** When a post arrived; grows. */
  arrivalsOf(uri: string): number[] {
    const times = this.arrivals.get(uri) ?? [];
    this.arrivals.set(uri, times);
    return times;
  }

  hosts(kind: keyof Followers): string[] {
    const { port } = this.server.address() as AddressInfo;
    return Array.from({ length: MOST[kind] }, (_, at) => `${NETS[kind]}.${at >> 8}.${at & 255}:${port}`);
  }

  private allHosts(): string[] {
    return KINDS.flatMap((kind) => this.hosts(kind));
  }

  /** Adds an account for each, once. */
  async seed(sql: pg.Client): Promise<void> {
    if (this.isSeeded) return;
    this.isSeeded = true;
    const ids = new FlakeIds();
    const accounts = this.allHosts().map((domain) => {
      const [apId, inbox] = [`http://${domain}/users/fan`, `http://${domain}/inbox`];
      const urls = { ap_id: apId, url: apId, inbox_url: inbox, shared_inbox_url: inbox };
      return { id: ids.next(), nickname: 'fan', domain, ...urls };
    });
    await copyRows(sql, 'accounts', accounts);
    await copyRows(
      sql,
      'account_stats',
      accounts.map(({ id }) => ({ account_id: id })),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.held) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

function isDead(address: string): boolean {
  return address.startsWith(`${NETS.dead}.`);
}

export interface DeliveryOptions {
  readonly sql: pg.Client;
  readonly inboxes: Inboxes;
  readonly followers: Followers;
  readonly port: number;
  /** Of the author, who is called `writer`. */
  readonly token: string;
  readonly seconds: number;
  readonly signal: AbortSignal;
}

/**
 * Posts again and again, each time when the last post has arrived at every inbox that lives. A request of the result is an
 * arrival; its latency is the time since the answer to the post.
 */
export async function runDeliveries(options: DeliveryOptions): Promise<LoadResult> {
  const { inboxes, followers, signal } = options;
  await inboxes.seed(options.sql);
  await follow(options);
  const start = performance.now();
  const times: number[] = [];
  let missing = 0;
  while (performance.now() - start < options.seconds * 1_000 && !signal.aborted) {
    const { uri, at } = await post(options);
    const arrived = inboxes.arrivalsOf(uri);
    const deadline = at + PATIENCE_MS;
    while (arrived.length < followers.live && performance.now() < deadline) await delay(POLL_MS, undefined, { signal });
    missing += followers.live - arrived.length;
    times.push(...arrived.map((there) => Math.max(0, there - at)));
  }
  const seconds = (performance.now() - start) / 1_000;
  await follow({ ...options, followers: { live: 0, dead: 0 } }); // the posts of later scenarios stay here
  return {
    ...summaryOf(times, seconds, 0),
    errors: missing === 0 ? {} : { 'deliveries that did not come': missing },
  };
}

/** Sets the author's followers on other servers. */
async function follow({ sql, inboxes, followers }: DeliveryOptions): Promise<void> {
  const domains = KINDS.flatMap((kind) => inboxes.hosts(kind).slice(0, followers[kind] ?? 0));
  await sql.query(
    `with writer as (select id from accounts where nickname = 'writer' and domain is null),
       others as (delete from follows f using writer w, accounts a
         where f.followee_id = w.id and a.id = f.follower_id and a.domain like '127.%' and a.domain <> all($1::text[]))
     insert into follows (follower_id, followee_id)
     select a.id, w.id from accounts a, writer w where a.domain = any($1::text[]) on conflict do nothing`,
    [domains],
  );
}

async function post({ port, token }: DeliveryOptions): Promise<{ uri: string; at: number }> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/statuses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ status: 'To everybody elsewhere', visibility: 'public' }),
  });
  const { uri } = (await answer.json()) as { uri: string };
  return { uri, at: performance.now() };
}
