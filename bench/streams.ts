import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { type LoadResult, summaryOf } from './load.ts';

const OPENED_AT_ONCE = 50;
const BETWEEN_POSTS_MS = 100;
const PATIENCE_MS = 15_000;

export interface StreamOptions {
  readonly port: number;
  /** The number of sockets that listen to the public timeline. */
  readonly listeners: number;
  readonly seconds: number;
  readonly token: string;
  readonly signal: AbortSignal;
}

/**
 * Posts repeatedly while sockets listen. A request of the result is a frame; its latency is the time from the answer
 * to the post until the frame's arrival, or 0 when the frame came first.
 */
export async function runStream(options: StreamOptions): Promise<LoadResult> {
  const arrivals = new Map<string, number[]>();
  let bytes = 0;
  const take = (frame: Buffer): void => {
    const now = performance.now();
    const id = /"update".*?\\"id\\":\\"(\w+)/s.exec(frame.toString('latin1', 0, 2_000))?.[1];
    if (id === undefined) return;
    bytes += frame.length;
    arrivals.set(id, [...(arrivals.get(id) ?? []), now]);
  };
  const sockets = await open(options, take);
  const start = performance.now();
  const answered = await post(options, start + options.seconds * 1_000);
  const seconds = (performance.now() - start) / 1_000;
  await allThere([...answered.keys()], arrivals, options);
  for (const socket of sockets) socket.terminate();
  const latencies = [...answered].flatMap(([id, at]) =>
    (arrivals.get(id) ?? []).map((there) => Math.max(0, there - at)),
  );
  const missing = answered.size * options.listeners - latencies.length;
  return {
    ...summaryOf(latencies, seconds, bytes),
    errors: missing === 0 ? {} : { 'frames that did not come': missing },
  };
}

async function open({ port, listeners, signal }: StreamOptions, take: (frame: Buffer) => void): Promise<WebSocket[]> {
  const sockets: WebSocket[] = [];
  while (sockets.length < listeners) {
    signal.throwIfAborted();
    const batch = Array.from({ length: Math.min(OPENED_AT_ONCE, listeners - sockets.length) }, () => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v1/streaming?stream=public`);
      socket.on('message', (frame: Buffer) => {
        take(frame);
      });
      return socket;
    });
    await Promise.all(batch.map((socket) => once(socket, 'open')));
    sockets.push(...batch);
  }
  return sockets;
}

/** Returns the ids of the posts and the times of their answers. */
async function post({ port, token, signal }: StreamOptions, end: number): Promise<Map<string, number>> {
  const answered = new Map<string, number>();
  while (performance.now() < end && !signal.aborted) {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/statuses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ status: `Live, number ${answered.size}`, visibility: 'public' }),
    });
    const { id } = (await answer.json()) as { id: string };
    answered.set(id, performance.now());
    await delay(BETWEEN_POSTS_MS);
  }
  return answered;
}

async function allThere(
  ids: readonly string[],
  arrivals: ReadonlyMap<string, readonly number[]>,
  { listeners, signal }: StreamOptions,
): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (performance.now() < deadline && ids.some((id) => (arrivals.get(id)?.length ?? 0) < listeners)) {
    await delay(BETWEEN_POSTS_MS, undefined, { signal });
  }
}
