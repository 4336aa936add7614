import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';

const TICK_MS = 10; // USER_HZ is 100 on every Linux that Node runs on

/** Calibration: the tries, and the rounds of each. */
const TIMES = 3;
const ROUNDS = 400;
/** What it took on the machine of the goals, when it was quiet: to compare figures with those of docs/performance.md. */
export const REFERENCE_MS = 67;

interface Usage {
  readonly parent: number;
  /** Of the process with all its threads and ended children. */
  readonly cpuMs: number;
}

/** The CPU milliseconds of processes and all their descendants so far, each counted once. */
export function cpuOfTree(...roots: readonly number[]): number {
  const usages = new Map<number, Usage>();
  for (const name of readdirSync('/proc')) {
    const usage = /^\d+$/.test(name) ? readUsage(name) : undefined;
    if (usage) usages.set(Number(name), usage);
  }
  const belongs = (pid: number): boolean =>
    roots.includes(pid) || (usages.has(pid) && belongs(usages.get(pid)!.parent));
  return [...usages].reduce((sum, [pid, { cpuMs }]) => (belongs(pid) ? sum + cpuMs : sum), 0);
}

function readUsage(pid: string): Usage | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' '); // from the third field on: the name may contain anything
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { parent: Number(fields[1]), cpuMs: ticks * TICK_MS };
  } catch {
    return undefined; // it has ended
  }
}

/** The milliseconds that the main thread of a process has run so far; infinite where the system does not count them. */
export function runMsOf(pid: number): number {
  return scheduledMs(pid)?.[0] ?? Infinity;
}

/** The milliseconds that the main thread of a process could run and had no core; 0 where the system does not count them. */
export function waitMsOf(pid: number): number {
  return scheduledMs(pid)?.[1] ?? 0;
}

function scheduledMs(pid: number): number[] | undefined {
  try {
    const nanoseconds = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'latin1').split(' ');
    return nanoseconds.map((text) => Number(text) / 1e6);
  } catch {
    return undefined;
  }
}

/** The memory of a process in MB: resident now, and at the peak. */
export function memoryOf(pid: number): { readonly nowMb: number; readonly peakMb: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  const megabytes = (name: string) =>
    Math.round(Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024);
  return { nowMb: megabytes('VmRSS'), peakMb: megabytes('VmHWM') };
}

/** The machine of a measurement. */
export interface Machine {
  readonly cores: number;
  readonly cpu: string;
  readonly memoryGb: number;
  readonly node: string;
  /** The average of the last minute. */
  readonly load: number;
}

export function describeMachine(): Machine {
  return {
    cores: availableParallelism(),
    cpu: cpus()[0]?.model ?? 'unknown',
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    load: Math.round(loadavg()[0]! * 10) / 10,
  };
}

/**
 * CPU milliseconds of a fixed piece of work of this process, the least of some times: JSON, text and a hash, as in a
 * request. Figures of two machines, or of two hours of one, are compared by the ratio of theirs.
 */
export function calibrate(): number {
  const page = Array.from({ length: 100 }, (_, at) => ({
    id: String(at),
    content: `<p>${'word '.repeat(40)}</p>`,
    at,
  }));
  const times = Array.from({ length: TIMES }, () => cpuOf(page));
  return Math.min(...times);
}

/** Whether so many milliseconds of CPU are too many: `most` is for the machine of the goals, and for faster ones. */
export function isAbove(ms: number, most: number): boolean {
  return ms > most && ms * REFERENCE_MS > most * calibrate();
}

function cpuOf(page: readonly object[]): number {
  const before = process.cpuUsage();
  let text = '';
  for (let round = 0; round < ROUNDS; round += 1) {
    text = JSON.stringify(page);
    const again = JSON.parse(text) as typeof page;
    createHash('sha256').update(text).update(JSON.stringify(again.toReversed()).replaceAll('word', 'w')).digest('hex');
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
