import { Injectable } from '@nestjs/common';
import { type Collector, UnitOfWork } from '../../platform/index.js';
import { StatusCountersRepository } from './status-counters.repository.js';

/** Counters of a status that somebody's action changes. */
export const COUNTED = ['replies', 'reblogs', 'favourites', 'reactions', 'quotes'] as const;
export type Counted = (typeof COUNTED)[number];

/** By how much one status' counters change. */
export interface StatusChange extends Record<Counted, number> {
  readonly statusId: string;
}

const UNCHANGED = { replies: 0, reblogs: 0, favourites: 0, reactions: 0, quotes: 0 } as const;

/** After the account counters: everybody locks account_stats first, then status_stats, both by id. */
const ORDER = 200;

/** Gathers what a unit of work changes and writes it once, at the unit's end. */
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

/** Counts replies, boosts, favourites, reactions and quotes of statuses in the unit of work that makes or ends them. */
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
