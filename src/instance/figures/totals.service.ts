import { Injectable } from '@nestjs/common';
import { Bus, Recurs } from '../../platform/index.js';
import { ActivityService } from './activity.service.js';
import { TOTALS_REFRESHED } from '../model/instance.channels.js';
import { TotalsRepository } from './totals.repository.js';

/** Refreshes the server's totals. */
@Injectable()
export class TotalsService {
  constructor(
    private readonly repository: TotalsRepository,
    private readonly activity: ActivityService,
    private readonly bus: Bus,
  ) {}

  /** Counts the totals and announces them to every process. */
  @Recurs({ job: 'instance.refresh-totals', everyMinutes: 10 })
  async refresh(): Promise<void> {
    await this.repository.refresh();
    await this.activity.refresh();
    this.bus.publish(TOTALS_REFRESHED, {});
  }
}
