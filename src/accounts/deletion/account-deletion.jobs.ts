import { Injectable } from '@nestjs/common';
import { Handles, Recurs, Subscribes } from '../../platform/index.js';
import { AccountDeleted } from '../model/accounts.events.js';
import { AccountDeletionService, RepeatDeletion } from './account-deletion.service.js';

const DAY_MINUTES = 24 * 60;

/** Removes what a deleted account leaves behind. */
@Injectable()
export class AccountDeletionJobs {
  constructor(private readonly deletion: AccountDeletionService) {}

  @Subscribes(AccountDeleted, { job: 'accounts.remove-relations', queue: 'maintenance' })
  async onDeleted({ accountId }: AccountDeleted): Promise<void> {
    await this.deletion.removeRelations(accountId);
  }

  @Recurs({ job: 'accounts.remove-keys', everyMinutes: DAY_MINUTES })
  async removeKeys(): Promise<void> {
    await this.deletion.removeKeys();
  }

  @Handles(RepeatDeletion)
  async repeat({ accountId, local = true }: { accountId: string; local?: boolean }): Promise<void> {
    await this.deletion.repeat(accountId, local);
  }
}
