import { Injectable } from '@nestjs/common';
import { Raw } from 'typeorm';
import { Database, purge, sql, UnitOfWork } from '../../platform/index.js';
import { ENDED, isNotEnded } from '../reset-links/ended-links.sql.js';
import { EmailConfirmation } from './email-confirmation.entity.js';

/** How long a link is valid. */
const VALID = `interval '7 days'`;

const add = sql(
  'email_confirmations.add',
  `insert into email_confirmations (token_hash, account_id, email)
   select $1, $2, $3 where (
     select count(*) from email_confirmations where account_id = $2 and created_at > now() - interval '1 hour') < $4`,
);

const isValid = Raw((createdAt) => `${createdAt} > now() - ${VALID}`);

const uncount = sql(
  'email_confirmations.uncount',
  `update email_confirmations set created_at = created_at - interval '1 hour' where token_hash = $1`,
);

/** All SQL on `email_confirmations`. */
@Injectable()
export class ConfirmationsRepository {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  /**
   * Stores a link, unless the account got `most` of them within the hour. Inside a unit that holds the lock of the account.
   * Index: email_confirmations_account.
   */
  async add(tokenHash: Buffer, accountId: string, email: string, most: number): Promise<boolean> {
    return (await this.db.run(add, [tokenHash, accountId, email, most])) === 1;
  }

  /** Takes a letter out of the count of the hour. Its link stays valid: the letter may have arrived all the same. */
  async uncount(tokenHash: Buffer): Promise<void> {
    await this.db.run(uncount, [tokenHash]);
  }

  /** The address that a link of the account confirms; undefined when no link is valid. */
  async email(tokenHash: Buffer, accountId: string): Promise<string | undefined> {
    const found = await this.uow.manager.findOneBy(EmailConfirmation, { tokenHash, accountId, createdAt: isValid });
    return found?.email;
  }

  /** Whether a letter to the address has a valid link. Index: email_confirmations_account. */
  hasLink(accountId: string, email: string): Promise<boolean> {
    const valid = { accountId, email, createdAt: isValid, tokenHash: Raw(isNotEnded) };
    return this.uow.manager.existsBy(EmailConfirmation, valid);
  }

  /**
   * Ends the links of an account to all addresses but one, in whatever case. Their rows stay, since their letters still count
   * (threat O13).
   */
  async endOthersOf(accountId: string, email: string | null): Promise<void> {
    const isOther = Raw((address) => `lower(${address}) <> lower(:email)`, { email });
    const others = email === null ? { accountId } : { accountId, email: isOther };
    await this.uow.manager.update(EmailConfirmation, others, { tokenHash: () => ENDED });
  }

  /** Removes expired links. Index: email_confirmations_age. */
  async purge(): Promise<void> {
    const over = `created_at <= now() - ${VALID}`;
    await purge(this.db, { table: 'email_confirmations', where: over, by: 'created_at' });
  }
}
