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

  /** Runs each minute; a server with many users counts every ten minutes. */
  @Recurs({ job: 'instance.refresh-totals', everyMinutes: 1 })
  async refreshWhenDue(): Promise<void> {
    if (await this.repository.isDue()) await this.refresh();
  }

  /** Counts the totals and announces them to every process. */
  async refresh(): Promise<void> {
    await this.repository.refresh();
    await this.activity.refresh();
    this.bus.publish(TOTALS_REFRESHED, {});
  }
}
