import { Injectable } from '@nestjs/common';
import type { QueueName } from './job.js';

/**
 * Wakes one of the processes that run jobs when some are due. This default wakes none: without Redis a process claims its
 * jobs itself.
 */
@Injectable()
export class JobCarrier {
  /** Wakes a worker for the due jobs of some queues, if it can: workers look for jobs by themselves all the same. */
  notify(_queues: readonly QueueName[]): void {
    // nobody else works
  }

  /** Starts receiving: calls the function with queues that have due jobs. */
  receive(_onWake: (queues: readonly QueueName[]) => void): void {
    // nothing arrives
  }

  /** Stops receiving. Other processes can still be woken. */
  stop(): Promise<void> {
    return Promise.resolve();
  }
}
