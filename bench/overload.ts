/*
 * `npm run overload -- --seconds 30`: sends the built server four times the requests that it can answer. It must answer
 * each with 200, 429 or 503, its health within a second, be as fast as before 5 s after the end, and lose no acknowledged
 * post. Exits with 1 when it fails (docs/performance.md).
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type DataSize, Seeder } from './data.ts';
import { runLoad } from './load.ts';
import { memoryOf } from './processes.ts';
import { Stage } from './stage.ts';
import { mixOf, OpenLoad } from './torture/open-load.ts';

const SIZE: DataSize = { statuses: 20_000, accounts: 500, followees: 100 };
const TIMES = 4;
const SUSTAINED_SECONDS = 5;
const PROBE_MS = 250;
const MAX_HEALTH_MS = 1_000;
const RECOVERY_MS = 5_000;
const MAX_RSS_MB = 300;

const { values: options } = parseArgs({ options: { seconds: { type: 'string', default: '30' } } });

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
