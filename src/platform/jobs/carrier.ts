import { Injectable } from '@nestjs/common';
import type { CarriedJob } from './job.repository.js';

/**
 * Carries the ids of due jobs to the processes that run them. This default carries none: without Redis a process claims
 * its jobs itself.
 */
@Injectable()
export class JobCarrier {
  /** Whether ids can reach other processes. */
  readonly isOn: boolean = false;

  /**
   * Hands ids over; ids that were handed over and not yet received change nothing. Returns whether all were accepted.
   */
  add(_jobs: readonly CarriedJob[]): Promise<boolean> {
    return Promise.resolve(false);
  }

  /** Starts to receive ids, at most as many at once as each queue allows. */
  consume(_run: (id: string) => Promise<void>): void {
    // no ids arrive
  }

  /** Stops receiving. Received jobs run on, and ids can still be handed over. */
  stop(): Promise<void> {
    return Promise.resolve();
  }
}
