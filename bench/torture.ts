/*
 * `npm run torture -- kill --rounds 100 --seed 1`: does to the built server what may happen to it, and prints what it has
 * lost in one line of figures. Ends with 1 when it broke a promise (docs/reliability.md). `--short` takes few rounds;
 * `--together` runs the kinds and their parts at the same time. `--fault` plants the faults of bench/torture/faults.json
 * that belong to the kind, and ends with 1 when a short run does not notice one.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Chance } from './chance.ts';
import { clock } from './torture/clock.ts';
import { disk } from './torture/disk.ts';
import { faultsOf, withFault } from './torture/faults.ts';
import type { Kind } from './torture/kind.ts';
import { kill } from './torture/kill.ts';
import { load } from './torture/load.ts';
import { migrate } from './torture/migrate.ts';
import { peers } from './torture/peers.ts';
import { postgres } from './torture/postgres.ts';
import { redis } from './torture/redis.ts';
import { rolling } from './torture/rolling.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const KINDS: Readonly<Record<string, Kind>> = { kill, postgres, redis, rolling, migrate, disk, clock, peers, load };
/** So many violations are told. */
const TOLD = 20;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string' },
    seed: { type: 'string', default: '1' },
    short: { type: 'boolean', default: false },
    together: { type: 'boolean', default: false },
    fault: { type: 'boolean', default: false },
  },
});

/** Runs a kind on the server in `root`; returns whether it kept all promises. */
async function torture(name: string, root: string, isShort: boolean, signal: AbortSignal): Promise<boolean> {
  const kind = KINDS[name]!;
  const rounds = Number(options.rounds ?? (isShort ? kind.short : kind.rounds));
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds takes a number from 1');
  let isRight = true;
  const chance = new Chance(Number(options.seed));
  for await (const outcome of kind.run({ rounds, chance, root, signal, isTogether: options.together })) {
    signal.throwIfAborted();
    const { part, figures, violations } = outcome;
    const words = Object.entries(figures).map(([what, figure]) => `${what} ${figure}`);
    const title = part === undefined ? name : `${name}, ${part}`;
    console.log(`${title}: ${rounds} rounds, seed ${options.seed}: ${words.join(', ')}`);
    for (const violation of violations.slice(0, TOLD)) console.log(`  ${violation}`);
    if (violations.length > TOLD) console.log(`  and ${violations.length - TOLD} more`);
    isRight &&= violations.length === 0;
  }
  return isRight;
}

/** Whether short runs notice every planted fault of a kind. */
async function proveFaults(name: string, signal: AbortSignal): Promise<boolean> {
  if (!(await torture(name, ROOT, true, signal))) {
    console.log(`${name} fails without a fault: nothing is proved`);
    return false;
  }
  let isProved = true;
  for (const fault of faultsOf(ROOT, name)) {
    const isFound = !(await withFault(ROOT, fault, (root) => torture(name, root, true, signal)));
    console.log(`${isFound ? 'found ' : 'MISSED'} ${fault.name}`);
    isProved &&= isFound;
  }
  return isProved;
}

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort());
const names = positionals.length === 0 ? Object.keys(KINDS) : positionals;
const unknown = names.find((name) => !Object.hasOwn(KINDS, name));
if (unknown !== undefined) throw new Error(`There is no torture "${unknown}", but ${Object.keys(KINDS).join(', ')}`);
const keeps = (name: string): Promise<boolean> => {
  stop.signal.throwIfAborted();
  return options.fault ? proveFaults(name, stop.signal) : torture(name, ROOT, options.short, stop.signal);
};
const kept: boolean[] = [];
if (options.together) kept.push(...(await Promise.all(names.map(keeps))));
else for (const name of names) kept.push(await keeps(name));
process.exitCode = kept.every(Boolean) ? 0 : 1;
