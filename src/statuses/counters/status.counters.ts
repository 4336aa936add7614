import { Injectable } from '@nestjs/common';
import { type Collector, UnitOfWork } from '../../platform/index.js';
import { StatusCountersRepository } from './status-counters.repository.js';

/** The counters of a status. */
export const COUNTED = ['replies', 'reblogs', 'favourites', 'reactions', 'quotes'] as const;
export type Counted = (typeof COUNTED)[number];

/** The changes of one status's counters. */
export interface StatusChange extends Record<Counted, number> {
  readonly statusId: string;
}

const UNCHANGED = { replies: 0, reblogs: 0, favourites: 0, reactions: 0, quotes: 0 } as const;

/** Before the counters of accounts (500): every unit locks status_stats first, then account_stats, both by id. */
const ORDER = 200;

/** Collects the changes of a unit of work and writes them once, at its end. */
class PendingChanges implements Collector {
  readonly order = ORDER;
  private readonly changes = new Map<string, StatusChange>();

  constructor(private readonly write: (changes: readonly StatusChange[]) => Promise<void>) {}

  add(statusId: string, counter: Counted, delta: number): void {
    const change = this.changes.get(statusId) ?? { ...UNCHANGED, statusId };
    this.changes.set(statusId, { ...change, [counter]: change[counter] + delta });
  }

  flush(): Promise<void> {
    return this.write([...this.changes.values()]);
  }
}

/** Counts replies, boosts, favourites, reactions and quotes in the unit of work that creates or removes them. */
@Injectable()
export class StatusCounters {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly repository: StatusCountersRepository,
  ) {}

  /** Throws outside a unit of work. */
  add(statusId: string, counter: Counted, delta: number): void {
    const pending = this.uow.collector(this, () => new PendingChanges((changes) => this.repository.apply(changes)));
    pending.add(statusId, counter, delta);
  }
}
