import { Injectable } from '@nestjs/common';
import { FIRST_ID, UnitOfWork } from '../../platform/index.js';
import { type AccountCounter, AccountCounters } from './account-counters.js';
import { CounterRepairRepository } from './counter-repair.repository.js';

/** What must be added to some counters of an account to make them right. */
export interface AccountDrift {
  readonly accountId: string;
  readonly add: Partial<Readonly<Record<AccountCounter, number>>>;
}

/** Compares counters of some accounts with the rows that they count, by one statement; answers those that differ. */
export type CompareAccounts = (accountIds: readonly string[]) => Promise<AccountDrift[]>;

export interface RepairOptions {
  /** Whether to correct what is wrong, or only to count it. */
  readonly fix: boolean;
}

/** Finds and corrects counters of accounts that do not agree with the rows. Safe beside a running server. */
@Injectable()
export class AccountCounterRepairService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly repository: CounterRepairRepository,
    private readonly counters: AccountCounters,
  ) {}

  /** Followers and follows of all accounts; answers how many accounts had them wrong. */
  follows(options: RepairOptions): Promise<number> {
    return this.run((ids) => this.followDrift(ids), options);
  }

  /** All accounts, in batches, with a comparison of the caller's: for counters of rows that another module owns. */
  async run(compare: CompareAccounts, { fix }: RepairOptions): Promise<number> {
    let wrong = 0;
    for (let after: string | undefined = FIRST_ID; after !== undefined;) {
      const ids: string[] = await this.repository.page(after);
      const drift = await compare(ids);
      if (fix && drift.length > 0) await this.correct(drift, compare);
      wrong += drift.length;
      after = ids.at(-1);
    }
    return wrong;
  }

  /** Compares again while nobody else changes the counters, and adds what is missing. */
  private async correct(found: readonly AccountDrift[], compare: CompareAccounts): Promise<void> {
    const ids = found.map(({ accountId }) => accountId);
    await this.uow.run(async () => {
      await this.repository.lock(ids);
      for (const { accountId, add } of await compare(ids)) {
        for (const [counter, delta] of Object.entries(add)) {
          this.counters.add(accountId, counter as AccountCounter, delta);
        }
      }
    });
  }

  private async followDrift(accountIds: readonly string[]): Promise<AccountDrift[]> {
    const rows = await this.repository.followDrift(accountIds);
    return rows.map(({ account_id: accountId, followers, following }) => ({
      accountId,
      add: { followers, following },
    }));
  }
}
