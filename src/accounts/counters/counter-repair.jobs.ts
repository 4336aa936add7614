import { Injectable, Logger } from '@nestjs/common';
import { DAILY, Recurs } from '../../platform/index.js';
import { AccountCounterRepairService } from './counter-repair.service.js';

/** Corrects follow counters every day; a correction means a bug elsewhere. */
@Injectable()
export class CounterRepairJobs {
  private readonly logger = new Logger(CounterRepairJobs.name);

  constructor(private readonly repair: AccountCounterRepairService) {}

  @Recurs({ job: 'accounts.repair-counters', everyMinutes: DAILY, queue: 'upkeep' })
  async repairCounters(): Promise<void> {
    const wrong = await this.repair.follows({ fix: true });
    if (wrong > 0) this.logger.warn(`The follow counters of ${wrong} accounts were wrong and have been corrected`);
  }
}
