import { Injectable } from '@nestjs/common';
import { AccountDeleted, AccountMoved, AccountUpdated, Scrobbled } from '../../accounts/index.js';
import { Subscribes } from '../../platform/index.js';
import { AccountActivitiesService } from './account-activities.service.js';

const isLocal = ({ local }: { local: boolean }) => local;

/** Tells other servers of changes of local accounts. */
@Injectable()
export class AccountActivitiesJobs {
  constructor(private readonly accounts: AccountActivitiesService) {}

  @Subscribes(AccountUpdated, { job: 'federation.send-profile', queue: 'federate', when: isLocal })
  async onUpdated({ accountId }: AccountUpdated): Promise<void> {
    await this.accounts.sendProfile(accountId);
  }

  @Subscribes(AccountMoved, { job: 'federation.send-move', queue: 'federate', when: isLocal })
  async onMoved({ accountId, targetId }: AccountMoved): Promise<void> {
    await this.accounts.sendMove(accountId, targetId);
  }

  @Subscribes(Scrobbled, { job: 'federation.send-listen', queue: 'federate' })
  async onScrobbled({ scrobbleId, accountId }: Scrobbled): Promise<void> {
    await this.accounts.sendListen(scrobbleId, accountId);
  }

  @Subscribes(AccountDeleted, { job: 'federation.remove-activities', queue: 'maintenance', when: isLocal })
  async onDeleted({ accountId }: AccountDeleted): Promise<void> {
    await this.accounts.removeActivities(accountId);
  }
}
