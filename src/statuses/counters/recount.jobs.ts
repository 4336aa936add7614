import { Injectable } from '@nestjs/common';
import { AccountActivated, AccountDeactivated } from '../../accounts/index.js';
import { Subscribes } from '../../platform/index.js';
import { StatusRecountService } from './recount.service.js';

/** Counts favourites and boosts again when the state of their account changes. */
@Injectable()
export class StatusRecountJobs {
  constructor(private readonly actions: StatusRecountService) {}

  @Subscribes(AccountDeactivated, { job: 'statuses.uncount-actions', queue: 'maintenance' })
  async onDeactivated({ accountId }: AccountDeactivated): Promise<void> {
    await this.actions.recount(accountId);
  }

  @Subscribes(AccountActivated, { job: 'statuses.count-actions', queue: 'maintenance' })
  async onActivated({ accountId }: AccountActivated): Promise<void> {
    await this.actions.recount(accountId);
  }
}
