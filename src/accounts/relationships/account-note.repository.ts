import { Injectable } from '@nestjs/common';
import { Database, sql, UnitOfWork } from '../../platform/index.js';
import { AccountNote } from '../model/relationship.entities.js';

// Index: account_notes_target.
const copy = sql(
  'account_notes.copy',
  `insert into account_notes (account_id, target_id, comment)
   select account_id, $2, comment from account_notes where target_id = $1 and account_id <> $2 on conflict do nothing`,
);

/** All writes on `account_notes`. */
@Injectable()
export class AccountNoteRepository {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  async save(accountId: string, targetId: string, comment: string): Promise<void> {
    await this.uow.manager.upsert(AccountNote, { accountId, targetId, comment }, ['accountId', 'targetId']);
  }

  /** Copies all notes about an account to another one; notes about that stay. */
  async copy(targetId: string, copyId: string): Promise<void> {
    await this.db.run(copy, [targetId, copyId]);
  }

  async remove(accountId: string, targetId: string): Promise<void> {
    await this.uow.manager.delete(AccountNote, { accountId, targetId });
  }
}
