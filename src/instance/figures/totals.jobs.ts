import { Injectable } from '@nestjs/common';
import { Recurs } from '../../platform/index.js';
import { TotalsService } from './totals.service.js';

/** Refreshes the server's totals regularly, so that no request has to count. */
@Injectable()
export class TotalsJobs {
  constructor(private readonly totals: TotalsService) {}

  @Recurs({ job: 'instance.refresh-totals', everyMinutes: 10 })
  refresh(): Promise<void> {
    return this.totals.refresh();
  }
}
