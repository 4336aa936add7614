import { Injectable } from '@nestjs/common';
import type { CarriedJob } from './job.repository.js';

/**
 * Takes the ids of due jobs to the processes that run them. This one takes nothing anywhere: without Redis a process
 * claims its jobs itself.
 */
@Injectable()
export class JobCarrier {
  /** Whether there is a way to other processes at all. */
  readonly isOn: boolean = false;

  /** Hands ids over; those that were handed over before and not yet received change nothing. Answers whether all were taken. */
  add(_jobs: readonly CarriedJob[]): Promise<boolean> {
    return Promise.resolve(false);
  }

  /** Starts to receive ids, at most as many at once as each queue allows. */
  consume(_run: (id: string) => Promise<void>): void {
    // nothing comes
  }

  /** Receives nothing more. What was received before runs on, and ids can still be handed over. */
  stop(): Promise<void> {
    return Promise.resolve();
  }
}
