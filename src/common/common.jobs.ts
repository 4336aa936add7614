import { Injectable } from '@nestjs/common';
import { Recurs } from '../platform/index.js';
import { Idempotency } from './idempotency/idempotency.js';
import { Uploads } from './input/uploads.js';

const HOURLY = 60;
const DAILY = 24 * HOURLY;

@Injectable()
export class CommonJobs {
  constructor(
    private readonly idempotency: Idempotency,
    private readonly uploads: Uploads,
  ) {}

  @Recurs({ job: 'idempotency.purge', everyMinutes: HOURLY })
  async purgeKeys(): Promise<void> {
    await this.idempotency.purge();
  }

  @Recurs({ job: 'uploads.sweep', everyMinutes: DAILY })
  async sweepUploads(): Promise<void> {
    await this.uploads.sweep();
  }
}
