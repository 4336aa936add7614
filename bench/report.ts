import type { DataSize } from './data.ts';
import { type Sizes, sizesAsMarkdown } from './fill/sizes.ts';
import { judgeMemory, type Memory, type Verdict } from './goals.ts';
import type { LoadResult } from './load.ts';
import type { Machine } from './processes.ts';

/** One line of the table. */
export interface Result {
  readonly scenario: string;
  readonly connections: number;
  readonly goal: string;
  readonly verdict: Verdict;
  readonly load: LoadResult;
  /** CPU milliseconds per request. */
  readonly serverCpuMs: number;
  readonly postgresCpuMs: number;
  /** Both together, as on the machine of the goals. */
  readonly calibratedCpuMs: number;
  /** The server's memory after the scenario, in MB. */
  readonly memoryMb: number;
  /** The ratio to a bare node:http with bodies of this length, from 0 to 1. */
  readonly ofBareHttp: number;
}

export interface Report {
  readonly takenAt: string;
  readonly machine: Machine;
  readonly postgres: string;
  readonly data: DataSize;
  readonly secondsEach: number;
  readonly memory: Memory;
  /** CPU milliseconds of a fixed piece of work in the load generator, before everything. */
  readonly calibrationMs: number;
  /** MB of live objects in the server, after each pass. */
  readonly liveHeapMb: readonly number[];
  /** Before the first scenario. */
  readonly sizes: Sizes;
  readonly results: readonly Result[];
}

const HEAD = [
  'scenario',
  'conn.',
  'goal',
  'met',
  'req/s',
  'p50 ms',
  'p99 ms',
  'server CPU ms',
  'PG CPU ms',
  'calibrated',
  'KB',
  'of bare http',
  'RSS MB',
  'errors',
];

/** The report as Markdown. */
export function markdown(report: Report): string {
  const { takenAt, machine, postgres, data, secondsEach, memory, results } = report;
  const most = memory.peakMb === undefined ? '' : `, ${memory.peakMb} MB at most`;
  const lines = [
    `${takenAt.slice(0, 16)} UTC, ${machine.cores} cores of ${machine.cpu}, ${machine.memoryGb} GB, load ${machine.load} at the start,`,
    `Node ${machine.node}, PostgreSQL ${postgres}; ${data.statuses} statuses, ${data.accounts} accounts; ${secondsEach} s each.`,
    `Calibration: ${report.calibrationMs.toFixed(0)} ms of CPU.`,
    `Memory of the server: ${memory.idleMb} MB before the first request${most}, ${memory.restMb} MB at rest after the last (G17: ${judgeMemory(memory)}).`,
    `Live heap: ${report.liveHeapMb.map((mb) => `${mb.toFixed(1)} MB`).join(' after the first pass, ')} at the end.`,
    '',
    row(HEAD),
    row(HEAD.map((_, at) => (at < 4 && at !== 1 ? '---' : '---:'))),
    ...results.map((result) => row(cells(result))),
    '',
    sizesAsMarkdown(report.sizes, data.statuses),
  ];
  return lines.join('\n');
}

function cells(result: Result): string[] {
  const { load } = result;
  const errors = Object.entries(load.errors).map(([reason, count]) => `${count} × ${reason}`);
  return [
    result.scenario,
    String(result.connections),
    result.goal,
    result.verdict,
    load.rate.toFixed(0),
    load.p50Ms.toFixed(1),
    load.p99Ms.toFixed(1),
    result.serverCpuMs.toFixed(2),
    result.postgresCpuMs.toFixed(2),
    result.calibratedCpuMs.toFixed(2),
    (load.bytes / 1_000).toFixed(1),
    `${(result.ofBareHttp * 100).toFixed(1)} %`,
    String(result.memoryMb),
    errors.join('; ') || '0',
  ];
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
