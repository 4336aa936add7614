import { Injectable } from '@nestjs/common';
import { Subscribes } from '../../platform/index.js';
import { AccountMoved } from '../model/accounts.events.js';
import { AccountNotesService } from './account-notes.service.js';
import { BlocksService } from './blocks.service.js';

/** Has the blocks, mutes and notes about an account follow it to its new one. */
@Injectable()
export class RelationshipsJobs {
  constructor(
    private readonly blocks: BlocksService,
    private readonly notes: AccountNotesService,
  ) {}

  @Subscribes(AccountMoved, { job: 'accounts.copy-blocks', queue: 'notify' })
  async onMoved({ accountId, targetId }: AccountMoved): Promise<void> {
    await this.blocks.copy(accountId, targetId);
    await this.notes.copy(accountId, targetId);
  }
}
