import { asReason, type Phrase, type Reason } from '../../common/index.js';

/** The checks of the server from outside, in their order; their names are the messages `online.…`. */
export type OnlineCheck =
  | 'address'
  | 'dns'
  | 'tls'
  | 'plain-http'
  | 'server'
  | 'clients'
  | 'headers'
  | 'upload'
  | 'web-socket'
  | 'event-stream'
  | 'actor'
  | 'web-finger'
  | 'clock'
  | 'mail';

/** Something that a check finds wrong. */
export interface Problem {
  readonly text: Phrase;
  /** Whether the server works all the same, at least for now. */
  readonly isWarning: boolean;
}

/** The result of a check of the server from outside; without problems all is well. */
export interface OnlineFinding {
  readonly check: OnlineCheck;
  readonly problems: readonly Problem[];
}

/** The findings of one run. */
export interface OnlineReport {
  readonly findings: readonly OnlineFinding[];
  /** False when the time was over before the last check. */
  readonly isComplete: boolean;
  /** The end of the run, ISO 8601. */
  readonly at: string;
}

/** Something that keeps people or other servers from this one. */
export function problem(text: Reason): Problem {
  return { text: phraseOf(text), isWarning: false };
}

/** Something that gets wrong later, or for some people only. */
export function warning(text: Reason): Problem {
  return { text: phraseOf(text), isWarning: true };
}

function phraseOf(text: Reason): Phrase {
  return typeof text === 'string' ? asReason(text) : text;
}
