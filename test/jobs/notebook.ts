import { Injectable } from '@nestjs/common';
import {
  Handles,
  job,
  ListensAfterCommit,
  type Outcome,
  Recurs,
  Subscribes,
  SubscribesToAll,
} from '../../src/platform/index.js';
import { currentReading, workFields } from '../../src/platform/tracing/work.js';

type Answer = Outcome | undefined;

/** Notes run one at a time in each process, in the order they are due. */
export const note = job<{ text: string }>('test.note', 'maintenance');
/** Letters run several at a time. */
export const letter = job<{ text: string }>('test.letter', 'deliver');
/** For a time that a person set. */
export const appointment = job<{ text: string }>('test.appointment', 'timed');
/** Has a time limit of almost nothing. */
export const brief = job<{ text: string }>('test.brief', 'maintenance', { longestMs: 1 });
/** May be delayed by half a day. */
export const patient = job<{ text: string }>('test.patient', 'maintenance', { longestDelayMs: 12 * 3_600_000 });
/** Recurring work would enqueue it again. */
export const resumed = job<{ text: string }>('test.resumed', 'maintenance', { isResumed: true });
export const orphan = job<{ text: string }>('test.orphan', 'maintenance');

export class Happened {
  static readonly type = 'test.happened';
  constructor(
    readonly id: string,
    readonly important: boolean,
  ) {}
}

export class Ended {
  static readonly type = 'test.ended';
  constructor(readonly id: string) {}
}

export class Arrived {
  static readonly type = 'test.arrived';
  constructor(readonly id: string) {}
}

/** Handlers that record their calls; the test decides what notes return. */
@Injectable()
export class Notebook {
  readonly seen: string[] = [];
  readonly days: string[] = [];
  /** Each note with what lines of the log say of the work that wrote them. */
  readonly logged: object[] = [];
  /** For each note the request that it would read for. */
  readonly readings: unknown[] = [];
  answer: () => Answer | Promise<Answer> = () => undefined;

  @Handles(note)
  @Handles(brief)
  @Handles(resumed)
  note({ text }: { text: string }): Answer | Promise<Answer> {
    this.seen.push(text);
    this.logged.push({ text, ...workFields() });
    this.readings.push(currentReading());
    return this.answer();
  }

  @Handles(letter)
  @Handles(patient)
  @Handles(appointment)
  letter({ text }: { text: string }): Answer | Promise<Answer> {
    this.seen.push(text);
    return this.answer();
  }

  @Subscribes(Happened, { job: 'test.write-down', queue: 'notify' })
  @Subscribes(Ended, { job: 'test.write-down-end', queue: 'notify' })
  writeDown(event: Happened | Ended): void {
    this.seen.push(`${event.id} ${event instanceof Happened}`);
  }

  @Subscribes(Happened, { job: 'test.alarm', queue: 'push', when: (event) => event.important })
  alarm(event: Happened): void {
    this.seen.push(`alarm ${event.id}`);
  }

  @SubscribesToAll(Arrived, { job: 'test.count', queue: 'notify' })
  count(events: readonly Arrived[]): void {
    this.seen.push(events.map((event) => `${event.id} ${event instanceof Arrived}`).join(', '));
  }

  @ListensAfterCommit(Happened)
  live(event: Happened): void {
    this.seen.push(`live ${event.id}`);
  }

  @Recurs({ job: 'test.daily', everyMinutes: 60 })
  daily(text = 'daily'): void {
    this.days.push(text);
  }
}
