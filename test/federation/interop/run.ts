/*
 * `PEERS=<folder> npm run interop`: this server with GoToSocial, Mitra and snac2, each flow in both directions
 * (docs/federation.md). Prints a table; ends with 1 when something did not work. `-- --only gts,snac` takes some of them.
 */
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { Stage } from '../../../bench/stage.ts';
import { Refused } from './client.ts';
import { bothWays, flows, type Meeting, type Side } from './flows.ts';
import { startOurs } from './ours.ts';
import { type PeerName, PEERS, PeersFolder } from './peers.ts';

/** The addresses of our server; in the lab it is behind a proxy with a certificate. */
const PLAIN = { url: 'http://127.0.0.30', address: '127.0.0.30', port: 80 };
const LAB = { url: 'https://svc.test', address: '127.0.0.1', port: 5480 };

const { values: options } = parseArgs({
  options: { only: { type: 'string' }, 'in-lab': { type: 'boolean', default: false } },
});

/** The result of a flow in one direction: it worked, the peer has no such API route, or it failed. */
type Cell = 'yes' | 'none' | 'NO';

interface Column {
  readonly title: string;
  readonly cells: Map<string, Cell>;
  readonly notes: string[];
}

/** Runs every flow in both directions. */
async function meet(ours: Side, theirs: Side): Promise<Column[]> {
  const meetings = bothWays(ours, theirs);
  const columns = meetings.map(({ from, to }): Column => ({
    title: `${from.name} → ${to.name}`,
    cells: new Map(),
    notes: [],
  }));
  for (const { name, run } of flows) {
    for (const [at, meeting] of meetings.entries()) {
      const { title, cells, notes } = columns[at]!;
      const problem = await problemOf(run, meeting);
      const cell = problem === undefined ? 'yes' : hasNoRoute(problem, ours) ? 'none' : 'NO';
      cells.set(name, cell);
      if (problem !== undefined) notes.push(`${title}, ${name}: ${problem.message}`);
      console.error(`interop: ${title}: ${name}: ${cell}`);
    }
  }
  return columns;
}

async function problemOf(run: (meeting: Meeting) => Promise<void>, meeting: Meeting): Promise<Error | undefined> {
  try {
    await run(meeting);
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

function hasNoRoute(problem: Error, ours: Side): boolean {
  return problem instanceof Refused && problem.server !== ours.name && [404, 405, 501].includes(problem.status);
}

function table(columns: readonly Column[]): string {
  const rows = [
    ['', ...columns.map(({ title }) => title)],
    ['---', ...columns.map(() => ':---:')],
    ...flows.map(({ name }) => [name, ...columns.map(({ cells }) => cells.get(name) ?? '')]),
  ];
  return rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
}

async function run(folder: PeersFolder, names: readonly PeerName[], signal: AbortSignal): Promise<number> {
  const place = options['in-lab'] ? LAB : PLAIN;
  const peers = await Promise.all(names.map((name) => folder.side(name, options['in-lab'])));
  await using stage = await Stage.build(signal);
  const ours = await startOurs(
    stage,
    place,
    peers.map(({ host }) => host),
  );
  const columns = (await Promise.all(peers.map((theirs) => meet(ours, theirs)))).flat();
  console.log(table(columns));
  for (const note of columns.flatMap(({ notes }) => notes)) console.log(note);
  return columns.some(({ cells }) => [...cells.values()].includes('NO')) ? 1 : 0;
}

function chosen(): PeerName[] {
  const all = Object.keys(PEERS) as PeerName[];
  const wanted = options.only?.split(',') ?? all;
  return all.filter((name) => wanted.includes(name));
}

async function main(path: string): Promise<number> {
  const folder = new PeersFolder(path);
  const names = chosen();
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
  if (options['in-lab']) return run(folder, names, stop.signal);
  try {
    await folder.start(names);
    if (!folder.isLab()) return await run(folder, names, stop.signal);
    const self = fileURLToPath(import.meta.url);
    return await folder.inLab([process.execPath, self, '--in-lab', '--only', names.join(',')]);
  } finally {
    await folder.stop();
  }
}

const path = process.env['PEERS'];
if (path === undefined) {
  console.log('interop: skipped: PEERS names no folder with other servers (docs/federation.md)');
} else {
  process.exitCode = await main(path);
}
