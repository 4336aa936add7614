import { Injectable, Logger } from '@nestjs/common';
import { DAILY, Recurs } from '../../platform/index.js';
import { StatusCounterRepairService } from './counter-repair.service.js';

/** Corrects the counters of posts every day. Any correction points to a bug. */
@Injectable()
export class StatusCounterRepairJobs {
  private readonly logger = new Logger(StatusCounterRepairJobs.name);

  constructor(private readonly repair: StatusCounterRepairService) {}

  @Recurs({ job: 'statuses.repair-counters', everyMinutes: DAILY })
  async repairCounters(): Promise<void> {
    const accounts = await this.repair.posts({ fix: true });
    const statuses = await this.repair.statuses({ fix: true });
    if (accounts === 0 && statuses === 0) return;
    this.logger.warn(`Wrong counters of ${accounts} accounts and ${statuses} statuses have been corrected`);
  }
}
