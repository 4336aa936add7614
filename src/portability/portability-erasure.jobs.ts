import { Injectable } from '@nestjs/common';
import { AccountDeleted, OwnedRowsRepository } from '../accounts/index.js';
import { Subscribes } from '../platform/index.js';
import { BackupsService } from './backups/backups.service.js';

/** Removes the archives and unfinished imports of deleted accounts. */
@Injectable()
export class PortabilityErasureJobs {
  constructor(
    private readonly rows: OwnedRowsRepository,
    private readonly backups: BackupsService,
  ) {}

  @Subscribes(AccountDeleted, { job: 'portability.erase', queue: 'maintenance', when: ({ local }) => local })
  async onDeleted({ accountId }: AccountDeleted): Promise<void> {
    await this.rows.removeAll(accountId, ['import_entries.account_id']);
    await this.backups.removeAll(accountId);
  }
}
