import { Injectable } from '@nestjs/common';
import { AccountDeleted } from '../../accounts/index.js';
import { Handles, Subscribes } from '../../platform/index.js';
import { EraseStatuses, StatusErasureService } from './status-erasure.service.js';

/** Removes the posts of deleted accounts. */
@Injectable()
export class StatusErasureJobs {
  constructor(private readonly erasure: StatusErasureService) {}

  @Subscribes(AccountDeleted, { job: 'statuses.begin-erasure', queue: 'maintenance' })
  async onDeleted({ accountId }: AccountDeleted): Promise<void> {
    await this.erasure.erase(accountId);
  }

  @Handles(EraseStatuses)
  async erase({ accountId }: { accountId: string }): Promise<void> {
    await this.erasure.erase(accountId);
  }
}
