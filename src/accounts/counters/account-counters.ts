import { Injectable } from '@nestjs/common';
import { type Collector, UnitOfWork } from '../../platform/index.js';
import { type CounterChange, AccountStatsRepository } from './account-stats.repository.js';

/** Before the counters of statuses (200) and the jobs (1000): all units lock counters in the same order. */
const COUNTERS_ORDER = 100;

export type AccountCounter = 'statuses' | 'followers' | 'following';

class PendingCounts implements Collector {
  readonly order = COUNTERS_ORDER;
  private readonly changes = new Map<string, CounterChange>();

  constructor(private readonly write: (changes: readonly CounterChange[]) => Promise<void>) {}

  of(accountId: string): CounterChange {
    const known = this.changes.get(accountId);
    if (known) return known;
    const change = { accountId, statuses: 0, followers: 0, following: 0, lastStatusAt: null };
    this.changes.set(accountId, change);
    return change;
  }

  async flush(): Promise<void> {
    const changes = [...this.changes.values()].filter(changesSomething);
    if (changes.length > 0) await this.write(changes);
  }
}

/** Counts posts, followers and follows of accounts inside the caller's unit of work, written once at its end. */
@Injectable()
export class AccountCounters {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly repository: AccountStatsRepository,
  ) {}

  /** Adds `delta` to a counter, which never falls below 0. Throws outside a unit of work. */
  add(accountId: string, counter: AccountCounter, delta: number): void {
    this.pending().of(accountId)[counter] += delta;
  }

  /** Stores when the account posted last, as the API writes times; an earlier time changes nothing. */
  posted(accountId: string, at: string): void {
    const change = this.pending().of(accountId);
    if (change.lastStatusAt === null || change.lastStatusAt < at) change.lastStatusAt = at;
  }

  private pending(): PendingCounts {
    return this.uow.collector(this, () => new PendingCounts((changes) => this.repository.apply(changes)));
  }
}

function changesSomething({ statuses, followers, following, lastStatusAt }: CounterChange): boolean {
  return statuses !== 0 || followers !== 0 || following !== 0 || lastStatusAt !== null;
}
