import { Injectable } from '@nestjs/common';
import { Raw } from 'typeorm';
import { Database, purge, UnitOfWork } from '../../platform/index.js';
import { PasswordReset } from './password-reset.entity.js';

/** How long a link is valid. */
const VALID = `interval '1 day'`;

/** All SQL on `password_resets`. */
@Injectable()
export class PasswordResetsRepository {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  /** Stores a link, unless the account got `most` of them within the hour. Index: password_resets_account. */
  async add(tokenHash: Buffer, accountId: string, most: number): Promise<boolean> {
    const rows = await this.db.query(
      `insert into password_resets (token_hash, account_id)
       select $1, $2 where (
         select count(*) from password_resets where account_id = $2 and created_at > now() - interval '1 hour') < $3
       returning account_id`,
      [tokenHash, accountId, most],
    );
    return rows.length === 1;
  }

  isValid(tokenHash: Buffer): Promise<boolean> {
    const createdAt = Raw((column) => `${column} > now() - ${VALID}`);
    return this.uow.manager.existsBy(PasswordReset, { tokenHash, createdAt });
  }

  /** Takes a valid link, and returns its account. Of several requests at once one gets it. */
  async take(tokenHash: Buffer): Promise<string | undefined> {
    const [row] = await this.db.query<{ account_id: string }>(
      `delete from password_resets where token_hash = $1 and created_at > now() - ${VALID} returning account_id`,
      [tokenHash],
    );
    return row?.account_id;
  }

  async removeAllOf(accountId: string): Promise<void> {
    await this.uow.manager.delete(PasswordReset, { accountId });
  }

  /** Removes expired links. Index: password_resets_age. */
  async purge(): Promise<void> {
    await purge(this.db, { table: 'password_resets', where: `created_at <= now() - ${VALID}`, by: 'created_at' });
  }
}
