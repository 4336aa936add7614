import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { type Data, FULL, Seeder } from './data.ts';
import { type LoadResult, runLoad } from './load.ts';
import { memoryOf } from './processes.ts';
import { type Scenario, scenarios } from './scenarios.ts';
import { Stage } from './stage.ts';

const SECONDS = 600;
const STREAMS = 200;
/** What a server may answer that has too much to do. */
const BUSY = /^status (429|503)$/;
/** Seconds of full speed for which activities are signed beforehand: enough for ten minutes at this pace. */
const PREPARED_SECONDS = 15;
const SAMPLES = 20;
const MAX_RSS_MB = 350;
/** How much more memory the last quarter of the time may take than the one before it. */
const MOST_GROWTH = 1.05;
/** Scenarios that change something, and how often they do in a second; all others read without pause. */
const PACES: ReadonlyMap<string, number> = new Map([
  ['post', 10],
  ['post-followed', 2],
  ['upload', 1],
  ['inbox', 50],
  ['inbox-forged', 5],
  ['inbox-departure', 5],
]);

/**
 * `npm run flood -- mixed`: everything that the benchmark measures at the same time, for ten minutes, beside live streams.
 * Exits with 1 when an answer is wrong, or memory passes its bound or still grows in the second half.
 */
export async function floodOfAll(signal: AbortSignal): Promise<boolean> {
  await using stage = await Stage.build(signal);
  const data = await new Seeder(stage.sql, FULL).seed(signal);
  const { port, pid } = await stage.startServer();
  await stage.settled(signal);
  const parts = scenarios.filter(({ followers, crowd, arrivals }) => !followers && !crowd && !arrivals);
  const streams = await openStreams(port);
  const running = Promise.all(parts.map((part) => play(part, data, port, signal)));
  const samples: number[] = [];
  while (samples.length < SAMPLES) {
    await delay((SECONDS / SAMPLES) * 1_000, undefined, { signal });
    samples.push(memoryOf(pid).nowMb);
  }
  const results = await running;
  streams.forEach((stream) => stream.terminate());
  let isRight = true;
  for (const [at, { name }] of parts.entries()) {
    const { requests, rate, p99Ms, errors } = results[at]!;
    const wrong = Object.entries(errors).map(([what, count]) => `, ${count} times ${what}`);
    if (requests === 0 || Object.keys(errors).some((what) => !BUSY.test(what))) isRight = false;
    console.log(`${name}: ${requests} answers, ${rate.toFixed(0)}/s, p99 ${p99Ms.toFixed(0)} ms${wrong.join('')}`);
  }
  const { peakMb } = memoryOf(pid);
  const quarters = [2, 3].map((quarter) => mean(samples.slice((quarter * SAMPLES) / 4, ((quarter + 1) * SAMPLES) / 4)));
  const [third = 0, last = 0] = quarters;
  console.log(`memory: ${samples.join(', ')} MB, peak ${peakMb} MB; third quarter ${third} MB, last ${last} MB`);
  return isRight && peakMb <= MAX_RSS_MB && last <= third * MOST_GROWTH;
}

async function play(scenario: Scenario, data: Data, port: number, signal: AbortSignal): Promise<LoadResult> {
  const { name, requests, ...expected } = scenario;
  const perSecond = PACES.get(name);
  const next = await requests(data, PREPARED_SECONDS);
  const load = { ...expected, port, connections: 1, seconds: SECONDS, next, signal };
  return runLoad(perSecond === undefined ? load : { ...load, perSecond });
}

async function openStreams(port: number): Promise<WebSocket[]> {
  const sockets: WebSocket[] = [];
  while (sockets.length < STREAMS) {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v1/streaming?stream=public`);
    await once(socket, 'open');
    sockets.push(socket);
  }
  return sockets;
}

function mean(numbers: readonly number[]): number {
  return Math.round(numbers.reduce((sum, each) => sum + each, 0) / numbers.length);
}
