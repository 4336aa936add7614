import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { Database, purge, UnitOfWork } from '../../platform/index.js';
import { AuthorizationCode } from '../model/oauth.entities.js';

export type NewCode = Pick<
  AuthorizationCode,
  'codeHash' | 'appId' | 'accountId' | 'redirectUri' | 'scopes' | 'challenge'
>;

/** All SQL on `oauth_codes`. */
@Injectable()
export class CodesRepository {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  async insert(code: NewCode): Promise<void> {
    await this.uow.manager.insert(AuthorizationCode, code);
  }

  /** A code, locked until the open unit of work ends. */
  lock(codeHash: Buffer): Promise<AuthorizationCode | null> {
    return this.uow.manager.findOne(AuthorizationCode, { where: { codeHash }, lock: { mode: 'pessimistic_write' } });
  }

  async spend(codeHash: Buffer, tokenId: string): Promise<void> {
    await this.uow.manager.update(AuthorizationCode, { codeHash }, { tokenId, spentAt: () => 'now()' });
  }

  /** Removes the codes of an account that became no sign-in. Spent ones stay: a second use of them is noticed. */
  async deleteUnspentOf(accountId: string): Promise<void> {
    await this.uow.manager.delete(AuthorizationCode, { accountId, spentAt: IsNull() });
  }

  async deleteAllOf(accountId: string): Promise<void> {
    await this.uow.manager.delete(AuthorizationCode, { accountId });
  }

  /** Removes codes a day after they were issued. Index: oauth_codes_age. */
  async purge(): Promise<void> {
    await purge(this.db, { table: 'oauth_codes', where: `created_at < now() - interval '1 day'`, by: 'created_at' });
  }
}
