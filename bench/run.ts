/*
 * `npm run bench`: measures the built server's requests per second, their latency and their cost (docs/performance.md).
 * Starts everything that it needs and stops it again, also on Ctrl-C.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Data, type DataSize, FULL, QUICK, Seeder } from './data.ts';
import { Inboxes, runDeliveries } from './deliveries.ts';
import { KeptFolder } from './fill/kept.ts';
import { sizesOf } from './fill/sizes.ts';
import { judge } from './goals.ts';
import { type LoadOptions, type LoadResult, requestBytes, runLoad } from './load.ts';
import { Misuse } from './misuse.ts';
import { calibrate, cpuOfTree, describeMachine, memoryOf, REFERENCE_MS } from './processes.ts';
import { benchRemote, type RemoteOptions } from './remote.ts';
import { markdown, type Report, type Result } from './report.ts';
import { type Scenario, scenarios } from './scenarios.ts';
import { LIVE_HEAP, type Listener, Stage } from './stage.ts';
import { fewOf, runArrivals, runStream } from './streams.ts';

const BASELINE_SECONDS = 2;
/** The connections of the load on the bare server, which has no counterpart for idle sockets. */
const MOST_CONNECTIONS = 16;

/** With more the memory of the server is no figure of G17. */
const MANY_CONNECTIONS = 1_000;
/** After this time without load the server has collected its garbage: it looks every ten seconds. */
const REST_MS = 21_000;
/** Four fifths of them may be live streams. */
const MAX_CONNECTIONS = '20000';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    statuses: { type: 'string' },
    accounts: { type: 'string' },
    keep: { type: 'string' },
    'second-pass': { type: 'boolean', default: false },
    seconds: { type: 'string', default: '5' },
    only: { type: 'string' },
    out: { type: 'string', default: 'data/bench.json' },
    'base-url': { type: 'string' },
    token: { type: 'string', default: '' },
    pids: { type: 'string', default: '' },
    'reader-key': { type: 'string' },
    'redis-url': { type: 'string' },
    roles: { type: 'string', default: 'all' },
  },
});

/** The running processes of a benchmark. */
interface Cast {
  readonly stage: Stage;
  readonly inboxes: Inboxes;
  /** The first of the servers that answer requests. */
  readonly server: Listener;
  /** The others. */
  readonly otherPorts: readonly number[];
  readonly serverPids: readonly number[];
  readonly baseline: Listener;
  readonly seconds: number;
  readonly signal: AbortSignal;
}

async function bench(scenarios: readonly Scenario[], seconds: number, signal: AbortSignal): Promise<Report> {
  const machine = describeMachine();
  const size = wantedSize();
  const calibrationMs = calibrate();
  tell(`calibration: ${calibrationMs.toFixed(0)} ms of CPU`);

  const kept = options.keep === undefined ? undefined : await KeptFolder.open(options.keep, size);
  await using stage = await Stage.build(signal, kept === undefined ? {} : { keep: kept.folder });
  const data = await dataFor(stage, size, kept, signal);
  const sizes = await sizesOf(stage.sql);
  await using inboxes = await Inboxes.open();
  signal.throwIfAborted();
  const servers = await startServers(stage, inboxes);
  const [server, ...others] = servers.filter(({ role }) => role !== 'worker');
  if (!server) throw new Misuse('--roles takes at least one web or all');
  tell('waiting for the server to be idle');
  await stage.settled(signal);
  const { nowMb: idleMb } = memoryOf(server.pid);
  const otherPorts = others.map(({ port }) => port);
  const serverPids = servers.map(({ pid }) => pid);
  const baseline = await stage.startBaseline();
  const cast = { stage, inboxes, server, otherPorts, serverPids, baseline, seconds, signal };
  const results: Result[] = [];
  let peakMb: number | undefined;
  let areMany = false;
  for (const scenario of scenarios) {
    tell(scenario.name);
    results.push(await play(scenario, data, cast));
    // Thousands of sockets have a bound of their own.
    areMany ||= scenario.connections > MANY_CONNECTIONS;
    if (!areMany) ({ peakMb } = memoryOf(server.pid));
  }
  tell('waiting for the server to rest');
  await delay(REST_MS, undefined, { signal });
  const { nowMb: restMb } = memoryOf(server.pid);
  const liveHeapMb = [await stage.liveHeapOf(server, signal)];
  if (options['second-pass']) {
    for (const scenario of scenarios) await repeat(scenario, data, cast);
    liveHeapMb.push(await stage.liveHeapOf(server, signal));
  }
  const { rows } = await stage.sql.query<{ version: string }>(`select current_setting('server_version') as version`);
  return {
    takenAt: new Date().toISOString(),
    machine,
    postgres: rows[0]!.version,
    data: size,
    secondsEach: seconds,
    memory: { idleMb, peakMb, restMb },
    calibrationMs,
    liveHeapMb,
    sizes,
    results,
  };
}

/** The data in the stage's database; of a kept one, a copy is used. */
async function dataFor(stage: Stage, size: DataSize, kept: KeptFolder | undefined, signal: AbortSignal): Promise<Data> {
  if (kept?.data === undefined) tell(`filling a database with ${size.statuses} statuses and ${size.accounts} accounts`);
  const data = kept?.data ?? (await new Seeder(stage.sql, size).seed(signal));
  if (kept === undefined) return data;
  await kept.store(data);
  tell(`using a copy of the database in ${kept.folder}`);
  await stage.useCopy();
  return data;
}

/** The load of a scenario once more, for the memory that it leaves. */
async function repeat(scenario: Scenario, data: Data, cast: Cast): Promise<void> {
  const { stage, seconds, signal } = cast;
  tell(`${scenario.name}, second pass`);
  const load = await loadOf(scenario, data, cast, seconds);
  await warm(scenario, data, cast)({ ...load, seconds });
  await stage.settled(signal);
}

/** The load of a scenario, with requests for so many seconds. */
async function loadOf(scenario: Scenario, data: Data, { server, otherPorts, signal }: Cast, seconds: number) {
  const { connections, complaint, status = 200, varies = false } = scenario;
  const next = await scenario.requests(data, seconds);
  return { connections, complaint, status, varies, next, port: server.port, otherPorts, signal };
}

/** Starts a process for each of the roles. */
async function startServers(stage: Stage, inboxes: Inboxes): Promise<(Listener & { readonly role: string })[]> {
  const redis = options['redis-url'];
  const shared = {
    ALLOWED_PRIVATE_ADDRESSES: inboxes.addresses,
    MAX_CONNECTIONS,
    ...(redis === undefined ? {} : { REDIS_URL: redis }),
  };
  const servers = [];
  for (const role of options.roles.split(','))
    servers.push({ role, ...(await stage.startServer({ ...shared, ROLE: role }, undefined, LIVE_HEAP)) });
  return servers;
}

/** Warms up, then measures one scenario with all its jobs. */
async function play(scenario: Scenario, data: Data, cast: Cast): Promise<Result> {
  const { stage, server, baseline, seconds, signal } = cast;
  const { connections, untilDone = false } = scenario;
  const warmUp = Math.max(1, seconds / 3);
  const load = await loadOf(scenario, data, cast, warmUp + seconds);
  const run = (time: number) => runnerOf(scenario, data, cast)({ ...load, seconds: time });
  await warm(scenario, data, cast)({ ...load, seconds: warmUp });
  await stage.settled(signal);
  const calibratedBefore = calibrate();
  const before = cpu(cast);
  const start = performance.now();
  const answered = await run(seconds);
  await stage.settled(signal);
  const done = (performance.now() - start) / 1_000;
  const result = untilDone ? { ...answered, seconds: done, rate: answered.requests / done } : answered;
  const after = cpu(cast);
  const calibrationMs = (calibratedBefore + calibrate()) / 2;
  signal.throwIfAborted();
  const requests = Math.max(1, result.requests);
  const serverCpuMs = (after.server - before.server) / requests;
  const postgresCpuMs = (after.postgres - before.postgres) / requests;
  const calibratedCpuMs = ((serverCpuMs + postgresCpuMs) * REFERENCE_MS) / calibrationMs;
  const bare = await bareRate(
    {
      ...load,
      connections: Math.min(connections, MOST_CONNECTIONS),
      port: baseline.port,
      otherPorts: [],
      seconds: Math.min(seconds, BASELINE_SECONDS),
    },
    result,
  );
  signal.throwIfAborted();
  return {
    scenario: scenario.name,
    connections,
    goal: scenario.goal.name,
    verdict: judge(scenario.goal, result, calibratedCpuMs),
    load: result,
    serverCpuMs,
    postgresCpuMs,
    calibratedCpuMs,
    memoryMb: memoryOf(server.pid).nowMb,
    ofBareHttp: result.rate / bare,
  };
}

function warm(scenario: Scenario, data: Data, cast: Cast): (load: LoadOptions) => Promise<LoadResult> {
  const { arrivals } = scenario;
  return runnerOf(arrivals ? { ...scenario, arrivals: fewOf(arrivals) } : scenario, data, cast);
}

function runnerOf(
  { crowd, arrivals, followers }: Scenario,
  { writer: token }: Data,
  { stage, inboxes, server }: Cast,
): (load: LoadOptions) => Promise<LoadResult> {
  if (crowd !== undefined) return (load) => runStream({ ...load, ...crowd, token, sql: stage.sql });
  if (arrivals !== undefined) return (load) => runArrivals({ ...load, ...arrivals, pid: server.pid, sql: stage.sql });
  if (followers !== undefined) return (load) => runDeliveries({ ...load, sql: stage.sql, inboxes, followers, token });
  return runLoad;
}

function cpu({ serverPids, stage }: Cast): { server: number; postgres: number } {
  return { server: cpuOfTree(...serverPids), postgres: cpuOfTree(stage.postgresPid) };
}

/** The requests per second of node:http alone with bodies of the same length. */
async function bareRate(load: LoadOptions, { bytes }: LoadResult): Promise<number> {
  const request = requestBytes(`/${Math.round(bytes)}`);
  const { rate } = await runLoad({ ...load, status: 200, next: () => request, complaint: () => undefined });
  return rate;
}

function chosen(): readonly Scenario[] {
  const names = options.only?.split(',') ?? scenarios.map(({ name }) => name);
  const unknown = names.filter((name) => !scenarios.some((scenario) => scenario.name === name));
  const known = scenarios.map(({ name }) => name).join(', ');
  if (unknown.length > 0) throw new Misuse(`No scenario is called ${unknown.join(' or ')}. There are: ${known}`);
  return scenarios.filter(({ name }) => names.includes(name));
}

function tell(line: string): void {
  console.error(`bench: ${line}`);
}

function wantedSeconds(): number {
  const seconds = Number(options.seconds);
  if (!(seconds > 0 && seconds <= 600)) throw new Misuse('--seconds takes a number up to 600');
  return seconds;
}

function wantedSize(): DataSize {
  const size = options.quick ? QUICK : FULL;
  return {
    ...size,
    statuses: wantedCount('statuses', size.statuses, QUICK.statuses, 10_000_000),
    accounts: wantedCount('accounts', size.accounts, QUICK.accounts, 200_000),
  };
}

function wantedCount(name: 'statuses' | 'accounts', usual: number, least: number, most: number): number {
  const count = Number(options[name] ?? usual);
  if (Number.isInteger(count) && count >= least && count <= most) return count;
  throw new Misuse(`--${name} takes a number from ${least} to ${most}`);
}

/** 1 when a scenario had errors. */
function exitCode({ results }: Report): number {
  return results.some(({ verdict }) => verdict === 'no figure') ? 1 : 0;
}

function readerOf(key: string): RemoteOptions['reader'] {
  const [keyId, file] = key.split(',');
  if (!keyId || !file) throw new Misuse('--reader-key takes the id of a key, a comma and the file of the private key');
  return { keyId, file };
}

/** A running server of any kind. */
function remoteOptions(baseUrl: string): RemoteOptions {
  const { token, pids, only, 'reader-key': key } = options;
  return {
    baseUrl,
    token,
    pids: pids.split(',').filter(Boolean).map(Number),
    reader: key === undefined ? undefined : readerOf(key),
    seconds: wantedSeconds(),
    only: only?.split(','),
    signal: stop.signal,
  };
}

async function benchBuilt(): Promise<void> {
  const report = await bench(chosen(), wantedSeconds(), stop.signal);
  await mkdir(dirname(options.out), { recursive: true });
  await writeFile(options.out, `${JSON.stringify(report, null, 2)}\n`);
  console.log(markdown(report));
  process.exitCode = exitCode(report);
}

const stop = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
try {
  if (options['base-url'] === undefined) await benchBuilt();
  else console.log(await benchRemote(remoteOptions(options['base-url'])));
} catch (error) {
  if (stop.signal.aborted) tell('stopped');
  else console.error(error instanceof Misuse ? error.message : error);
  process.exitCode = stop.signal.aborted ? 130 : 1;
}
