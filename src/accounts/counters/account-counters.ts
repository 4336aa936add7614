import { Injectable } from '@nestjs/common';
import { type Collector, UnitOfWork } from '../../platform/index.js';
import { type CounterChange, AccountStatsRepository } from './account-stats.repository.js';

/**
 * Last of all: whoever posts twice at once waits for this lock, which nobody holds longer than a commit takes. Counters
 * of statuses come first (200, 300), then jobs (400): all units lock them in the same order.
 */
const ORDER = 500;

export type AccountCounter = 'statuses' | 'followers' | 'following';

class PendingCounts implements Collector {
  readonly order = ORDER;
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
