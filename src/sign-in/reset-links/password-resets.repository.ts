import { Injectable } from '@nestjs/common';
import { Raw } from 'typeorm';
import { Database, purge, sql, UnitOfWork } from '../../platform/index.js';
import { ENDED, isNotEnded } from './ended-links.sql.js';
import { PasswordReset } from './password-reset.entity.js';

/** How long a link is valid. */
const VALID = `interval '1 day'`;

const addCounted = sql(
  'password_resets.add_counted',
  `insert into password_resets (token_hash, account_id)
   select $1, $2 where (
     select count(*) from password_resets
     where account_id = $2 and is_counted and created_at > now() - interval '1 hour') < $3`,
);

const isValid = Raw((createdAt) => `${createdAt} > now() - ${VALID}`);

/** All SQL on `password_resets`. */
@Injectable()
export class PasswordResetsRepository {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  /**
   * Stores the link of a letter, unless the account got `most` letters within the hour. Inside a unit that holds the lock
   * of the account. Index: password_resets_account.
   */
  async addCounted(tokenHash: Buffer, accountId: string, most: number): Promise<boolean> {
    return (await this.db.run(addCounted, [tokenHash, accountId, most])) === 1;
  }

  /** Stores a link that no letter carries. */
  async add(tokenHash: Buffer, accountId: string): Promise<void> {
    await this.uow.manager.insert(PasswordReset, { tokenHash, accountId, isCounted: false });
  }

  /** Takes a letter out of the count of the hour. Its link stays valid: the letter may have arrived all the same. */
  async uncount(tokenHash: Buffer): Promise<void> {
    await this.uow.manager.update(PasswordReset, { tokenHash }, { isCounted: false });
  }

  /** Whether a letter to the account has a valid link. Index: password_resets_account. */
  hasLetter(accountId: string): Promise<boolean> {
    const valid = { accountId, isCounted: true, createdAt: isValid, tokenHash: Raw(isNotEnded) };
    return this.uow.manager.existsBy(PasswordReset, valid);
  }

  isValid(tokenHash: Buffer): Promise<boolean> {
    return this.uow.manager.existsBy(PasswordReset, { tokenHash, createdAt: isValid });
  }

  /** Takes a valid link, and returns its account. Of several requests at once one gets it. */
  async use(tokenHash: Buffer): Promise<string | undefined> {
    const valid = { tokenHash, createdAt: isValid };
    const removal = this.uow.manager.createQueryBuilder().delete().from(PasswordReset).where(valid);
    const [row] = (await removal.returning(['accountId']).execute()).raw as { account_id: string }[];
    return row?.account_id;
  }

  /** Ends all links of an account. Their rows stay, since their letters still count (threat O13). */
  async endAllOf(accountId: string): Promise<void> {
    await this.uow.manager.update(PasswordReset, { accountId }, { tokenHash: () => ENDED });
  }

  /** Removes expired links. Index: password_resets_age. */
  async purge(): Promise<void> {
    await purge(this.db, { table: 'password_resets', where: `created_at <= now() - ${VALID}`, by: 'created_at' });
  }
}
