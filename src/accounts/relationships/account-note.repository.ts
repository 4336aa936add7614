import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/index.js';
import { AccountNote } from '../model/relationship.entities.js';

/** All writes on `account_notes`. */
@Injectable()
export class AccountNoteRepository {
  constructor(private readonly uow: UnitOfWork) {}

  async save(accountId: string, targetId: string, comment: string): Promise<void> {
    await this.uow.manager.upsert(AccountNote, { accountId, targetId, comment }, ['accountId', 'targetId']);
  }

  async remove(accountId: string, targetId: string): Promise<void> {
    await this.uow.manager.delete(AccountNote, { accountId, targetId });
  }
}
