import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { hashToken, newToken } from './built.ts';
import { StreamListener } from './listeners.ts';
import { Connection, type LoadResult, requestBytes, summaryOf } from './load.ts';
import { memoryOf } from './processes.ts';
import type { Protocol } from './streams/frames.ts';

const OPENED_AT_ONCE = 50;
const LOOK_MS = 100;
const PATIENCE_MS = 15_000;
/** Connections that posts are sent on. */
const POSTERS = 8;
/** One listener in so many tells when its frames arrive. */
const SAMPLED = 20;
/** A client is closed with this code when it does not read. */
const TOO_SLOW = 1013;
/** One client in so many comes before the measurement. */
const WARM_UP = 20;
/** How long a server may take to see that a client does not read. */
const SLOW_MS = 5_000;

/** The clients of live streams in a scenario. */
export interface Crowd {
  readonly protocol: Protocol;
  /** Clients that read the public timeline. */
  readonly listeners: number;
  /** Whether each of them is signed in, as the local accounts in turn. */
  readonly areSignedIn?: boolean;
  /** Posts in a second. */
  readonly perSecond: number;
  /** Further sockets that are open and read no stream. */
  readonly idle?: number;
  /** Further sockets that read the public timeline and stop to take its bytes. */
  readonly hanging?: number;
  /** Characters of a post; a short text by default. */
  readonly characters?: number;
}

/** Clients that come at the same time. */
export interface Arrivals {
  readonly sockets: number;
  /** So many handshakes are under way at a time. */
  readonly atOnce: number;
}

/** A few of the clients, which make the server ready. */
export function fewOf({ sockets, atOnce }: Arrivals): Arrivals {
  return { sockets: Math.ceil(sockets / WARM_UP), atOnce: Math.min(atOnce, OPENED_AT_ONCE) };
}

interface Options {
  readonly port: number;
  readonly seconds: number;
  readonly signal: AbortSignal;
}

export interface StreamOptions extends Options, Crowd {
  readonly token: string;
  readonly sql: pg.Client;
}

export interface ArrivalOptions extends Options, Arrivals {
  /** The process of the server. */
  readonly pid: number;
  readonly sql: pg.Client;
}

/**
 * Posts while clients listen. A request of the result is a frame; its latency is the time from the answer to the post
 * until the frame's arrival, or 0 when the frame came first.
 */
export async function runStream(options: StreamOptions): Promise<LoadResult> {
  const { protocol, listeners: count, idle = 0, hanging = 0 } = options;
  const arrivals: { id: string; at: number }[] = [];
  const onPost = (id: string) => arrivals.push({ id, at: performance.now() });
  const { port, signal } = options;
  const reader = { port, protocol, stream: 'public' };
  const others = await openAll(idle, signal, () => ({ port, protocol: 'websocket' }));
  const hung = await openAll(hanging, signal, () => reader);
  for (const listener of hung) listener.pause();
  const tokens = options.areSignedIn ? await signIn(options.sql, count) : [];
  const listeners = await openAll(count, signal, (at) => ({
    ...reader,
    ...(at % SAMPLED === 0 && { onPost }),
    token: tokens[at] ?? '',
  }));
  const start = performance.now();
  const { answered, failed } = await post(options, start + options.seconds * 1_000);
  const seconds = (performance.now() - start) / 1_000;
  const errors = {
    'posts that failed': failed,
    'frames that did not come': await missingFrames(listeners, answered.size, signal),
    'clients that hang and stay connected': await staying(hung, signal),
    'clients that were disconnected': [...listeners, ...others].filter(isClosed).length,
  };
  const frames = listeners.reduce((sum, listener) => sum + listener.frames, 0);
  const bytes = listeners.reduce((sum, listener) => sum + listener.bytes, 0);
  await closeAll([...listeners, ...others, ...hung], options);
  const latencies = arrivals.flatMap(({ id, at }) => {
    const answer = answered.get(id);
    return answer === undefined ? [] : [Math.max(0, at - answer)];
  });
  return {
    ...summaryOf(latencies, seconds, 0),
    requests: frames,
    rate: frames / seconds,
    bytes: frames === 0 ? 0 : bytes / frames,
    errors: Object.fromEntries(Object.entries(errors).filter(([, number]) => number > 0)),
  };
}

/**
 * Opens the `user` streams of as many sign-ins. A request of the result is a socket; its latency is the time until the
 * server has taken it, its bytes are what the memory of the server grew by for it.
 */
export async function runArrivals(options: ArrivalOptions): Promise<LoadResult> {
  const { port, pid, sockets: count, atOnce, signal } = options;
  const tokens = await signIn(options.sql, count);
  const { nowMb: before } = memoryOf(pid);
  const latencies: number[] = [];
  const errors: Record<string, number> = {};
  const open: StreamListener[] = [];
  const waiting = [...tokens];
  const start = performance.now();
  const arrive = async () => {
    for (let token = waiting.pop(); token !== undefined && !signal.aborted; token = waiting.pop()) {
      const sent = performance.now();
      try {
        open.push(await StreamListener.open({ port, protocol: 'websocket', stream: 'user', token }));
        latencies.push(performance.now() - sent);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        errors[reason] = (errors[reason] ?? 0) + 1;
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, arrive));
  const seconds = (performance.now() - start) / 1_000;
  const grown = (memoryOf(pid).nowMb - before) * 1_048_576;
  const gone = open.filter(isClosed).length;
  if (gone > 0) errors['clients that were disconnected'] = gone;
  await closeAll(open, options);
  return { ...summaryOf(latencies, seconds, Math.max(0, grown)), errors };
}

async function openAll(
  count: number,
  signal: AbortSignal,
  optionsOf: (at: number) => Parameters<typeof StreamListener.open>[0],
): Promise<StreamListener[]> {
  const open: StreamListener[] = [];
  while (open.length < count) {
    signal.throwIfAborted();
    const batch = Array.from({ length: Math.min(OPENED_AT_ONCE, count - open.length) }, (_, at) =>
      StreamListener.open(optionsOf(open.length + at)),
    );
    open.push(...(await Promise.all(batch)));
  }
  return open;
}

/** Posts at an even pace. Returns the ids of the posts with the times of their answers, and how many had no success. */
async function post(
  { port, token, perSecond, characters = 0, signal }: StreamOptions,
  end: number,
): Promise<{ answered: Map<string, number>; failed: number }> {
  const answered = new Map<string, number>();
  const start = performance.now();
  let [count, failed] = [0, 0];
  const poster = async () => {
    const connection = await Connection.open(port);
    while (!signal.aborted) {
      const due = start + (count * 1_000) / perSecond;
      if (due >= end) break;
      count += 1;
      await delay(Math.max(0, due - performance.now()));
      const body = { status: `Live, number ${count}`.padEnd(characters, ' text'), visibility: 'public' };
      const answer = await connection.exchange(
        requestBytes('/api/v1/statuses', { authorization: `Bearer ${token}` }, body),
      );
      const now = performance.now();
      if (answer.status === 200) answered.set((JSON.parse(answer.body.toString()) as { id: string }).id, now);
      else failed += 1;
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: POSTERS }, poster));
  return { answered, failed };
}

async function missingFrames(
  listeners: readonly StreamListener[],
  posts: number,
  signal: AbortSignal,
): Promise<number> {
  const missing = () => listeners.reduce((sum, { frames }) => sum + Math.abs(posts - frames), 0);
  await until(() => missing() === 0, PATIENCE_MS, signal);
  return missing();
}

/** How many were not closed as too slow. They read again first: the closing frame stands behind the others. */
async function staying(hung: readonly StreamListener[], signal: AbortSignal): Promise<number> {
  const left = () => hung.filter(({ closeCode }) => closeCode !== TOO_SLOW).length;
  for (const listener of hung) listener.resume();
  await until(() => left() === 0, SLOW_MS, signal);
  return left();
}

/** Closes connections, and waits until the server has done the same: it has room for so many only. */
async function closeAll(listeners: readonly StreamListener[], { port, signal }: Options): Promise<void> {
  for (const listener of listeners) listener.close();
  const areGone = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
    return !/^svc_streaming_connections\{.*\} [1-9]/m.test(await answer.text());
  };
  await until(areGone, PATIENCE_MS, signal);
}

async function until(isDone: () => boolean | Promise<boolean>, patienceMs: number, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (!(await isDone()) && performance.now() < deadline) await delay(LOOK_MS, undefined, { signal });
}

/** Makes a sign-in for each client, of the local accounts in turn. */
async function signIn(sql: pg.Client, count: number): Promise<string[]> {
  const tokens = Array.from({ length: count }, () => newToken());
  await sql.query(
    `with local as (select array_agg(account_id) as ids from users)
     insert into oauth_tokens (app_id, account_id, token_hash, scopes, expires_at)
     select (select app_id from oauth_tokens limit 1), ids[1 + nth % cardinality(ids)], hash, '{read}', now() + interval '1 day'
     from local, unnest($1::bytea[]) with ordinality as token(hash, nth)`,
    [tokens.map(hashToken)],
  );
  return tokens;
}

function isClosed({ closeCode }: StreamListener): boolean {
  return closeCode !== undefined;
}
