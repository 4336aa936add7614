import type { LoadResult } from './load.ts';

/** The limits of a scenario. Rates are per second, times in milliseconds; CPU is server and PostgreSQL together, calibrated. */
export interface Limits {
  readonly rate?: number;
  readonly p50Ms?: number;
  readonly p99Ms?: number;
  readonly cpuMs?: number;
  /** Of a body, or of whatever the scenario counts. */
  readonly bytes?: number;
}

export interface Goal {
  readonly name: string;
  /** The minimum for a release. */
  readonly floor: Limits;
  /** The design goal. */
  readonly target: Limits;
}

export type Verdict = 'target' | 'floor' | 'below' | 'no figure';

export const goals = {
  home: { name: 'G1', floor: { rate: 390, cpuMs: 4.3 }, target: { rate: 1_500, cpuMs: 1.2 } },
  homeCold: { name: 'G1 cold', floor: {}, target: { cpuMs: 3.5 } },
  homeAlone: { name: 'G2', floor: { p50Ms: 6, p99Ms: 15 }, target: { p50Ms: 1.5, p99Ms: 6 } },
  public: { name: 'G3', floor: { rate: 415 }, target: { rate: 1_000 } },
  publicAnonymous: { name: 'G3 anonymous', floor: { rate: 415 }, target: { rate: 1_000, cpuMs: 0.3 } },
  status: { name: 'G4', floor: { rate: 920, cpuMs: 1.7 }, target: { rate: 2_000, cpuMs: 0.6 } },
  context: { name: 'G5', floor: { rate: 230 }, target: { rate: 800 } },
  accountStatuses: { name: 'G5', floor: { rate: 345 }, target: { rate: 800 } },
  notifications: { name: 'G5', floor: { rate: 218 }, target: { rate: 800 } },
  chats: { name: 'G5', floor: {}, target: { rate: 800 } },
  search: { name: 'none', floor: {}, target: {} },
  account: { name: 'G6', floor: { rate: 1_350 }, target: { rate: 3_000, cpuMs: 0.3 } },
  webfinger: { name: 'G7', floor: { rate: 3_000 }, target: { rate: 5_000, cpuMs: 0.2 } },
  actor: { name: 'G7', floor: { rate: 1_250 }, target: { rate: 5_000, cpuMs: 0.2 } },
  note: { name: 'G7', floor: { rate: 1_850 }, target: { rate: 5_000, cpuMs: 0.2 } },
  post: { name: 'G8', floor: { rate: 160, p99Ms: 40 }, target: { rate: 700, cpuMs: 2.5 } },
  postFollowed: { name: 'G8 followed', floor: {}, target: { p50Ms: 50 } },
  inbox: { name: 'G9', floor: { rate: 320, cpuMs: 2.7 }, target: { rate: 1_500, cpuMs: 1.2 } },
  inboxForged: { name: 'G10', floor: { rate: 1_200 }, target: { rate: 4_000, cpuMs: 0.3 } },
  inboxDeparture: { name: 'G11', floor: { rate: 3_000 }, target: { rate: 8_000, cpuMs: 0.15 } },
  deliveries: { name: 'G12', floor: { rate: 730 }, target: { rate: 1_500, cpuMs: 0.8 } },
  deliveriesPastDead: { name: 'G13', floor: {}, target: {} },
  upload: { name: 'none', floor: {}, target: {} },
  streaming: { name: 'G15', floor: { p50Ms: 15, p99Ms: 60 }, target: { p50Ms: 5, p99Ms: 30 } },
  streamingBusy: { name: 'G15 busy', floor: { p50Ms: 60, p99Ms: 200 }, target: { p50Ms: 20, p99Ms: 100 } },
  streamingIdle: { name: 'G15 idle', floor: {}, target: { bytes: 20_000 } },
  streamingStorm: { name: 'G15 storm', floor: { p99Ms: 10_000 }, target: { p99Ms: 5_000 } },
  instance: { name: 'G18', floor: { rate: 5_000 }, target: { rate: 8_000 } },
} satisfies Record<string, Goal>;

/** Memory of the server, in MB (G17). */
export interface Memory {
  /** Before the first request. */
  readonly idleMb: number;
  /** Unknown when every scenario had thousands of sockets. */
  readonly peakMb: number | undefined;
  /** When the load has ended and the server has collected its garbage. */
  readonly restMb: number;
}

export const memoryGoal = {
  floor: { idleMb: 180, peakMb: 350 },
  target: { idleMb: 150, peakMb: 300 },
};

export function judgeMemory({ idleMb, peakMb }: Memory): Verdict {
  const { floor, target } = memoryGoal;
  if (peakMb === undefined) return 'no figure';
  const isWithin = (most: typeof floor) => idleMb <= most.idleMb && peakMb <= most.peakMb;
  return isWithin(target) ? 'target' : isWithin(floor) ? 'floor' : 'below';
}

/** The verdict on a result. A run with errors proves nothing. */
export function judge(goal: Goal, load: LoadResult, cpuMs: number): Verdict {
  if (load.requests === 0 || Object.keys(load.errors).length > 0) return 'no figure';
  if (!meets(goal.floor, load, cpuMs)) return 'below';
  return meets(goal.target, load, cpuMs) ? 'target' : 'floor';
}

function meets(
  { rate = 0, p50Ms = Infinity, p99Ms = Infinity, cpuMs = Infinity, bytes = Infinity }: Limits,
  load: LoadResult,
  cpu: number,
): boolean {
  return load.rate >= rate && load.p50Ms <= p50Ms && load.p99Ms <= p99Ms && load.bytes <= bytes && cpu <= cpuMs;
}
