import { Injectable } from '@nestjs/common';
import { Handles, Subscribes } from '../../platform/index.js';
import { AccountDeleted } from '../model/accounts.events.js';
import { AccountDeletionService, RepeatDeletion } from './account-deletion.service.js';

/** Removes what a deleted account leaves behind. */
@Injectable()
export class AccountDeletionJobs {
  constructor(private readonly deletion: AccountDeletionService) {}

  @Subscribes(AccountDeleted, { job: 'accounts.remove-relations', queue: 'maintenance' })
  async onDeleted({ accountId }: AccountDeleted): Promise<void> {
    await this.deletion.removeRelations(accountId);
  }

  @Handles(RepeatDeletion)
  async repeat({ accountId, local = true }: { accountId: string; local?: boolean }): Promise<void> {
    await this.deletion.repeat(accountId, local);
  }
}
