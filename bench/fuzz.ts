/*
 * `npm run fuzz -- --seconds 60 --seed 1`: sends texts that take long to parse to the built server, then hostile requests,
 * floods it, and sends hostile documents, all under polite use; last another server tries to speak for people of a third.
 * Exits with 1 when an answer is an undocumented 5xx, the process takes too much memory, polite clients get no answer, one
 * document or text holds everybody up (docs/performance.md), or what another server says of people who are not its own
 * counts. The same seed makes the same requests. `npm run fuzz -- requests`, `documents`, `texts` or `federation` does one
 * part; `--held` and `--polite` are for a busy machine.
 */
import { parseArgs } from 'node:util';
import { Chance } from './chance.ts';
import { type Data, type DataSize, Seeder } from './data.ts';
import { sendDocuments } from './fuzz/documents.ts';
import { exchange, type Seen } from './fuzz/exchange.ts';
import { flood, FLOODS, MAX_RSS_MB } from './fuzz/floods.ts';
import { impersonate } from './fuzz/impostors.ts';
import { Attacker } from './fuzz/requests.ts';
import { readRoutes } from './fuzz/routes.ts';
import { fuzzTexts } from './fuzz/texts.ts';
import { requestBytes, runLoad } from './load.ts';
import { memoryOf } from './processes.ts';
import { type Scene, Stage } from './stage.ts';

const SIZE: DataSize = { statuses: 2_000, accounts: 200, followees: 50 };
const ATTACKERS = 16;
/** How long polite clients use the server before an attack that their p99 is told for, to warm it up. */
const WARM_UP_SECONDS = 2;
const MAX_SHOWN = 20;
/** A slow machine may briefly refuse polite clients too. */
const BUSY = /^status (429|503)$/;

/** Routes that answer 500 for failures other than the caller's input (spec §4.2, §7). */
const MAY_FAIL = /\/(\w+_import|oauth_tokens|emoji\/pack)/;

/** How often each hostile text is sent, for each second of `--seconds`. */
const TEXTS_PER_SECOND = 1 / 15;

const { values: options, positionals: parts } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    held: { type: 'string', default: '100' },
    polite: { type: 'string', default: '250' },
  },
});

const PARTS = ['texts', 'requests', 'documents', 'federation'];
const unknown = parts.find((part) => !PARTS.includes(part));
if (unknown !== undefined) throw new Error(`There is no part "${unknown}", but ${PARTS.join(', ')}`);

interface Finding {
  readonly label: string;
  readonly answer: Seen;
}

/** Attacks until the end; counts requests and collects forbidden answers. */
async function attack(port: number, attacker: Attacker, end: number): Promise<{ sent: number; findings: Finding[] }> {
  const findings: Finding[] = [];
  let sent = 0;
  while (performance.now() < end) {
    const next = attacker.next();
    const answers = await exchange(port, next);
    sent += Math.max(answers.length, 1);
    const wrong = answers.filter(({ status }) => status >= 500 && status !== 503);
    for (const answer of wrong) {
      if (answer.status !== 500 || !MAY_FAIL.test(next.label)) findings.push({ label: next.label, answer });
    }
  }
  return { sent, findings };
}

/** Clients with normal usage of the server. */
function beginPolite(port: number, { reader, writer }: Data, signal: AbortSignal, seconds = Infinity) {
  const requests = [
    requestBytes('/api/v1/timelines/home', { authorization: `Bearer ${writer}` }),
    requestBytes('/api/v1/notifications', { authorization: `Bearer ${reader}` }),
    requestBytes('/api/v2/instance'),
    requestBytes('/api/v1/statuses', { authorization: `Bearer ${writer}` }, { status: 'Good morning' }),
  ];
  let turn = 0;
  const next = () => (signal.aborted ? undefined : requests[turn++ % requests.length]);
  return runLoad({ port, connections: 2, seconds, next, complaint: () => undefined, varies: true, signal });
}

/** The result of one kind of attack on a server. */
interface Ordeal {
  readonly peakMb: number;
  readonly p99Ms: number;
  readonly errors: Readonly<Record<string, number>>;
}

/** Starts a server, attacks it while polite clients use it, and stops it. */
async function endure(
  { stage, data, signal }: Scene,
  name: string,
  attack: (port: number) => Promise<void>,
  warmUpSeconds = 0,
): Promise<Ordeal> {
  const server = await stage.startServer();
  const over = new AbortController();
  if (warmUpSeconds > 0) await beginPolite(server.port, data, signal, warmUpSeconds);
  const polite = beginPolite(server.port, data, AbortSignal.any([signal, over.signal]));
  await attack(server.port).finally(() => over.abort());
  const { p99Ms, errors } = await polite;
  const { peakMb } = memoryOf(server.pid);
  await stage.stopServer(server);
  console.log(`  ${name}: peak RSS ${peakMb} MB, other clients p99 ${Math.round(p99Ms)} ms`);
  for (const [reason, count] of Object.entries(errors)) console.log(`    other clients: ${reason}, ${count} times`);
  return { peakMb, p99Ms, errors };
}

async function fuzz(seconds: number, seed: number, signal: AbortSignal): Promise<boolean> {
  await using stage = await Stage.build(signal);
  const data = await new Seeder(stage.sql, SIZE).seed(signal);
  const scene = { stage, data, signal };
  const has = (part: string) => parts.length === 0 || parts.includes(part);
  const limits = { heldMs: Number(options.held), politeMs: Number(options.polite) };
  const times = Math.max(1, Math.round(seconds * TEXTS_PER_SECOND));
  const results: boolean[] = [];
  if (has('texts')) results.push(await fuzzTexts(scene, { ...limits, times }));
  if (has('requests')) results.push(await fuzzRequests(scene, seconds, seed));
  if (has('documents')) results.push(await sendDocuments(scene));
  if (has('federation')) results.push(await impersonate(scene, seconds, seed));
  return results.every(Boolean);
}

async function fuzzRequests(scene: Scene, seconds: number, seed: number): Promise<boolean> {
  const { data, signal } = scene;
  const runs: Awaited<ReturnType<typeof attack>>[] = [];
  const ordeals: [Ordeal, ...Ordeal[]] = [
    await endure(
      scene,
      `${seconds} s of hostile requests, seed ${seed}`,
      async (port) => {
        const routes = await readRoutes(port);
        const end = performance.now() + seconds * 1_000;
        const lanes = Array.from({ length: ATTACKERS }, (_, lane) => new Chance(seed * ATTACKERS + lane));
        runs.push(...(await Promise.all(lanes.map((lane) => attack(port, new Attacker(lane, routes, data), end)))));
      },
      WARM_UP_SECONDS,
    ),
  ];
  for (const one of FLOODS) {
    const name = `${one.connections} connections, ${one.name}`;
    ordeals.push(await endure(scene, name, (port) => flood(port, one, data, signal)));
  }
  signal.throwIfAborted();
  const sent = runs.reduce((sum, run) => sum + run.sent, 0);
  const findings = runs.flatMap((run) => run.findings);
  for (const { label, answer } of findings.slice(0, MAX_SHOWN)) console.log(`${label}\n  ${answer.text}\n`);
  const peakMb = Math.max(...ordeals.map((ordeal) => ordeal.peakMb));
  const [{ p99Ms }] = ordeals;
  console.log(
    `${sent} requests, ${findings.length} of 5xx outside the list, peak RSS ${peakMb} MB, other clients p99 ${Math.round(p99Ms)} ms`,
  );
  const isPolite = ordeals.every(({ errors }) => Object.keys(errors).every((reason) => BUSY.test(reason)));
  return findings.length === 0 && peakMb <= MAX_RSS_MB && isPolite;
}

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort());
process.exitCode = (await fuzz(Number(options.seconds), Number(options.seed), stop.signal)) ? 0 : 1;
