import { Injectable } from '@nestjs/common';
import { AccountDeleted, OwnedRowsRepository } from '../accounts/index.js';
import { Subscribes } from '../platform/index.js';

/** Removes the chats of deleted accounts, for both sides. */
@Injectable()
export class ChatsJobs {
  constructor(private readonly rows: OwnedRowsRepository) {}

  @Subscribes(AccountDeleted, { job: 'chats.erase', queue: 'maintenance' })
  async onDeleted({ accountId }: AccountDeleted): Promise<void> {
    await this.rows.removeAll(accountId, [
      'chat_messages.sender_id',
      'chat_messages.recipient_id',
      'chats.owner_id',
      'chats.partner_id',
    ]);
  }
}
