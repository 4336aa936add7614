import { Injectable } from '@nestjs/common';
import { AccountDeleted } from '../../accounts/index.js';
import { Subscribes } from '../../platform/index.js';
import { OwnAccountService } from './own-account.service.js';

/** Removes the sign-ins of deleted accounts. */
@Injectable()
export class OwnAccountJobs {
  constructor(private readonly account: OwnAccountService) {}

  @Subscribes(AccountDeleted, { job: 'oauth.remove-sign-ins', queue: 'maintenance', when: ({ local }) => local })
  async onDeleted({ accountId }: AccountDeleted): Promise<void> {
    await this.account.removeSignIns(accountId);
  }
}
