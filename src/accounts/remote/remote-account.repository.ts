import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/index.js';
import { Account, AccountStats } from '../model/account.entities.js';

/** The columns that another server tells. */
export type RemoteColumns = Partial<Account>;

/** Writes the accounts of other servers. */
@Injectable()
export class RemoteAccountRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /** The account with an id or an actor id, locked until the unit ends. Index: accounts_pkey, accounts_ap_id_key. */
  lock(where: Pick<Account, 'id'> | Pick<Account, 'apId'>): Promise<Account | null> {
    return this.uow.manager.findOne(Account, { where, lock: { mode: 'pessimistic_write' } });
  }

  /** Stores an account with its counters. Fails when its actor id or its handle is taken. */
  async insert(values: RemoteColumns & Pick<Account, 'id'>): Promise<void> {
    await this.uow.manager.insert(Account, values);
    await this.uow.manager.insert(AccountStats, { accountId: values.id });
  }

  /** Replaces counters; those that are not given stay. */
  async setCounts(accountId: string, counts: Partial<AccountStats>): Promise<void> {
    await this.uow.manager.update(AccountStats, { accountId }, counts);
  }
}
