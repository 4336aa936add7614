import { Injectable } from '@nestjs/common';
import { Recurs } from './handlers.js';
import { Worker } from './worker.js';

const DAILY = 24 * 60;

/** Removes jobs that failed long ago. */
@Injectable()
export class FailedJobsJobs {
  constructor(private readonly worker: Worker) {}

  @Recurs({ job: 'jobs.purge-failed', everyMinutes: DAILY })
  async purgeFailed(): Promise<void> {
    await this.worker.purgeFailed();
  }
}
