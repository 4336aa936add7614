import type { Chance } from '../chance.ts';

/** How a kind of torture is run. */
export interface Run {
  readonly rounds: number;
  /** Decides what is done and when. */
  readonly chance: Chance;
  /** The folder whose `dist` is the server. */
  readonly root: string;
  readonly signal: AbortSignal;
  /** Whether the parts of a kind run at the same time. */
  readonly isTogether: boolean;
}

/** The result of a run. */
export interface Outcome {
  /** What was tortured, if a kind has several parts. */
  readonly part?: string;
  readonly figures: Readonly<Record<string, number | string>>;
  /** What the server promises and did not do; none in a run that is right. */
  readonly violations: readonly string[];
}

/** A kind of torture. */
export interface Kind {
  /** The number of rounds of a full run, and of a short one. */
  readonly rounds: number;
  readonly short: number;
  readonly run: (run: Run) => AsyncIterable<Outcome>;
}

/** A violation, if it is one. */
export function when(isBroken: boolean, violation: string): string[] {
  return isBroken ? [violation] : [];
}
