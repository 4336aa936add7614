import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/index.js';

// Index: primary key.
const save = sql(
  'account_notes.save',
  `insert into account_notes (account_id, target_id, comment) values ($1, $2, $3)
   on conflict (account_id, target_id) do update set comment = excluded.comment`,
);

const remove = sql('account_notes.remove', `delete from account_notes where account_id = $1 and target_id = $2`);

/** All writes on `account_notes`. */
@Injectable()
export class AccountNoteRepository {
  constructor(private readonly db: Database) {}

  async save(accountId: string, targetId: string, comment: string): Promise<void> {
    await this.db.run(save, [accountId, targetId, comment]);
  }

  async remove(accountId: string, targetId: string): Promise<void> {
    await this.db.run(remove, [accountId, targetId]);
  }
}
