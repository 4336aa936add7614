import { Injectable } from '@nestjs/common';
import { ModeratedAccountsService } from '../../../accounts/index.js';
import { HandledReportsService } from '../../../admin/index.js';

const ANY = { query: '', name: '', email: '', tags: [], actorTypes: [] } as const;

/** Counts what waits for the staff. */
@Injectable()
export class StaffWaitingService {
  constructor(
    private readonly reports: HandledReportsService,
    private readonly accounts: ModeratedAccountsService,
  ) {}

  countOpenReports(): Promise<number> {
    return this.reports.count({ state: 'open' });
  }

  async countSignUps(): Promise<number> {
    return (await this.accounts.page({ ...ANY, filters: ['need_approval'] }, 1, 0)).count;
  }
}
