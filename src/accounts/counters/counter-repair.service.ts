import { Injectable } from '@nestjs/common';
import { FIRST_ID, UnitOfWork, walkSlices } from '../../platform/index.js';
import { type AccountCounter, AccountCounters } from './account-counters.js';
import { CounterRepairRepository } from './counter-repair.repository.js';

/** The corrections for some counters of an account. */
export interface AccountDrift {
  readonly accountId: string;
  readonly add: Partial<Readonly<Record<AccountCounter, number>>>;
}

/** Compares counters of the accounts from one id to another with the counted rows, by one statement; returns those that differ. */
export type CompareAccounts = (first: string, last: string) => Promise<AccountDrift[]>;

export interface RepairOptions {
  /** Whether to correct wrong counters, or only to count them. */
  readonly fix: boolean;
  /** Takes the number of rows that are compared, for an operator who waits: then there are no rests between slices. */
  readonly progress?: (compared: number) => void;
}

/** The rows that were compared, in the order of their ids, and how many of them were wrong. */
interface RepairedSlice {
  readonly ids: readonly string[];
  readonly wrong: number;
}

/** Repairs rows in slices, each after the last id of the one before it, from `first` on; returns how many were wrong. */
export async function repairInSlices(
  repair: (after: string) => Promise<RepairedSlice>,
  { progress }: RepairOptions,
  first = FIRST_ID,
): Promise<number> {
  let [wrong, compared] = [0, 0];
  const step = async (after: string) => {
    const slice = await repair(after);
    wrong += slice.wrong;
    progress?.((compared += slice.ids.length));
    return slice.ids.at(-1);
  };
  await walkSlices(first, step, { rests: progress === undefined });
  return wrong;
}

/** Finds and corrects counters that do not match the rows. Safe beside a running server. */
@Injectable()
export class AccountCounterRepairService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly repository: CounterRepairRepository,
    private readonly counters: AccountCounters,
  ) {}

  /** Repairs followers and follows of all accounts; returns how many accounts had wrong counters. */
  follows(options: RepairOptions): Promise<number> {
    return this.run((first, last) => this.followDrift(first, last), options);
  }

  /** Repairs all accounts in batches by the caller's comparison: for counters of rows that another module owns. */
  run(compare: CompareAccounts, options: RepairOptions): Promise<number> {
    return repairInSlices(async (after) => {
      const ids = await this.repository.page(after);
      const drift = await compareAll(ids, compare);
      if (options.fix && drift.length > 0) await this.correct(drift, compare);
      return { ids, wrong: drift.length };
    }, options);
  }

  /** Compares again under a lock on the counters, and applies the difference. */
  private async correct(found: readonly AccountDrift[], compare: CompareAccounts): Promise<void> {
    const ids = found.map(({ accountId }) => accountId).sort();
    await this.uow.run(async () => {
      await this.repository.lock(ids);
      for (const { accountId, add } of await compareAll(ids, compare)) {
        for (const [counter, delta] of Object.entries(add)) {
          this.counters.add(accountId, counter as AccountCounter, delta);
        }
      }
    });
  }

  private async followDrift(first: string, last: string): Promise<AccountDrift[]> {
    const rows = await this.repository.followDrift(first, last);
    return rows.map(({ accountId, followers, following }) => ({
      accountId,
      add: { followers, following },
    }));
  }
}

/** The differences of these accounts, whose ids are in order. */
async function compareAll(ids: readonly string[], compare: CompareAccounts): Promise<AccountDrift[]> {
  const [first, last] = [ids[0], ids.at(-1)];
  if (first === undefined || last === undefined) return [];
  const meant = new Set(ids);
  return (await compare(first, last)).filter(({ accountId }) => meant.has(accountId));
}
