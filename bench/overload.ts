/*
 * `npm run overload -- --seconds 30`: sends the built server four times the requests that it can answer. It must answer
 * each with 200, 429 or 503, its health within a second, be as fast as before 5 s after the end, and lose no acknowledged
 * post. Exits with 1 when it fails (docs/performance.md).
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Data, type DataSize, Seeder } from './data.ts';
import { Connection, requestBytes, runLoad } from './load.ts';
import { memoryOf } from './processes.ts';
import { Stage } from './stage.ts';

const SIZE: DataSize = { statuses: 20_000, accounts: 500, followees: 100 };
const TIMES = 4;
const SUSTAINED_SECONDS = 5;
const TICK_MS = 10;
const PROBE_MS = 250;
const MAX_CONNECTIONS = 2_000;
const MAX_HEALTH_MS = 1_000;
const RECOVERY_MS = 5_000;
const MAX_RSS_MB = 300;

const { values: options } = parseArgs({ options: { seconds: { type: 'string', default: '30' } } });

/** A typical mix: mostly reading, one post in twenty requests. */
function mixOf({ writer, reader }: Data): () => Buffer {
  const [own, other] = [{ authorization: `Bearer ${writer}` }, { authorization: `Bearer ${reader}` }];
  const reads = ['timelines/home', 'notifications', 'timelines/public', 'accounts/verify_credentials'];
  const requests = reads.map((path, at) => requestBytes(`/api/v1/${path}`, at % 2 === 0 ? own : other));
  let turn = 0;
  return () => {
    turn += 1;
    if (turn % 20 > 0) return requests[turn % requests.length]!;
    return requestBytes('/api/v1/statuses', own, { status: `Post ${turn}` });
  };
}

/** Sends requests at their time, whether or not the previous ones were answered. */
class OpenLoad {
  readonly statuses: Record<string, number> = {};
  readonly acknowledged: string[] = [];
  private readonly idle: Connection[] = [];
  private open = 0;
  private offered = 0;
  private readonly port: number;
  private readonly next: () => Buffer;

  constructor(port: number, next: () => Buffer) {
    this.port = port;
    this.next = next;
  }

  /** Returns the achieved rate of requests per second. */
  async run(rate: number, seconds: number, signal: AbortSignal): Promise<number> {
    const start = performance.now();
    const running = new Set<Promise<void>>();
    for (let sent = 0; performance.now() - start < seconds * 1_000 && !signal.aborted;) {
      const due = Math.floor(((performance.now() - start) / 1_000) * rate);
      for (; sent < due; sent += 1) {
        const request = this.send().finally(() => running.delete(request));
        running.add(request);
      }
      await delay(TICK_MS);
    }
    const offered = this.offered / ((performance.now() - start) / 1_000);
    await Promise.all(running);
    this.idle.forEach((connection) => connection.close());
    return offered;
  }

  private async send(): Promise<void> {
    const request = this.next();
    let connection = this.takeIdle();
    if (!connection && this.open >= MAX_CONNECTIONS) {
      this.count('not sent: all connections busy');
      return;
    }
    if (!connection) this.open += 1;
    try {
      connection ??= await Connection.open(this.port);
      this.offered += 1;
      const { status, body } = await connection.exchange(request);
      this.count(String(status));
      const isPost = request[0] === 'P'.charCodeAt(0);
      if (status === 200 && isPost) this.acknowledged.push((JSON.parse(body.toString()) as { id: string }).id);
      this.idle.push(connection);
    } catch (error) {
      this.open -= 1;
      connection?.close();
      this.count(error instanceof Error ? error.message : String(error));
    }
  }

  /** The newest idle connection that the server has not closed. */
  private takeIdle(): Connection | undefined {
    for (let connection = this.idle.pop(); connection; connection = this.idle.pop()) {
      if (connection.isOpen) return connection;
      this.open -= 1;
    }
    return undefined;
  }

  private count(what: string): void {
    this.statuses[what] = (this.statuses[what] ?? 0) + 1;
  }
}

/** The slowest answer of the health probe until the signal, in milliseconds; Infinity when one was not 200. */
async function watchHealth(port: number, over: AbortSignal): Promise<number> {
  let slowest = 0;
  while (!over.aborted) {
    const sent = performance.now();
    const answer = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined);
    slowest = Math.max(slowest, answer?.status === 200 ? performance.now() - sent : Infinity);
    await delay(PROBE_MS);
  }
  return slowest;
}

async function overload(seconds: number, signal: AbortSignal): Promise<boolean> {
  await using stage = await Stage.build(signal);
  const data = await new Seeder(stage.sql, SIZE).seed(signal);
  const { pid, port } = await stage.startServer();
  await stage.settled(signal);
  const next = mixOf(data);
  const normal = (time: number) =>
    runLoad({ port, connections: 16, seconds: time, next, complaint: () => undefined, varies: true, signal });
  await normal(2);
  const { rate, p99Ms } = await normal(SUSTAINED_SECONDS);
  console.log(`sustained: ${Math.round(rate)}/s, p99 ${Math.round(p99Ms)} ms; ${TIMES} times that are to be offered`);
  const over = new AbortController();
  const health = watchHealth(port, over.signal);
  const load = new OpenLoad(port, next);
  const offered = await load.run(rate * TIMES, seconds, signal);
  over.abort();
  signal.throwIfAborted();
  await delay(RECOVERY_MS - 2_000);
  const after = await normal(2);
  await stage.settled(signal);
  const { rows } = await stage.sql.query<{ lost: string }>(
    'select count(*) as lost from unnest($1::text[]) id where not exists (select from statuses s where s.id = id)',
    [load.acknowledged],
  );
  const healthMs = await health;
  const { peakMb } = memoryOf(pid);
  console.log(`offered: ${Math.round(offered)}/s, ${(offered / rate).toFixed(1)} times what it can answer`);
  console.log(`answers: ${JSON.stringify(load.statuses)}`);
  console.log(`health: at most ${Math.round(healthMs)} ms; peak RSS ${peakMb} MB`);
  console.log(`5 s after: p99 ${Math.round(after.p99Ms)} ms, ${Math.round(after.rate)}/s`);
  console.log(`${load.acknowledged.length} posts acknowledged, ${rows[0]!.lost} lost`);
  const unexpected = Object.keys(load.statuses).filter((status) => !/^(200|429|503|not sent: .*)$/.test(status));
  const isBack = Object.keys(after.errors).length === 0 && after.rate > rate / 2;
  return (
    unexpected.length === 0 && healthMs <= MAX_HEALTH_MS && isBack && rows[0]!.lost === '0' && peakMb <= MAX_RSS_MB
  );
}

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort());
process.exitCode = (await overload(Number(options.seconds), stop.signal)) ? 0 : 1;
