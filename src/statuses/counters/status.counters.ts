import { Injectable } from '@nestjs/common';
import { type Collector, UnitOfWork } from '../../platform/index.js';
import { countsIn } from '../model/visibility.js';
import { StatusCountersRepository } from './status-counters.repository.js';

/** The counters of a status. */
export const COUNTED = ['replies', 'reblogs', 'favourites', 'reactions', 'quotes'] as const;
export type Counted = (typeof COUNTED)[number];

/** The changes of one status's counters. */
export interface StatusChange extends Record<Counted, number> {
  readonly statusId: string;
}

/** A post with the posts that it answers and quotes. */
export interface Referring {
  readonly visibility: number;
  readonly inReplyToId: string | null;
  readonly quoteOfId: string | null;
  /** The visibilities of the two. */
  readonly parentVisibility?: number | null | undefined;
  readonly quotedVisibility?: number | null | undefined;
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

  /** Counts a reply or quote in the posts that it refers to, or no longer. Throws outside a unit of work. */
  addReferences(post: Referring, delta: 1 | -1): void {
    const { visibility, inReplyToId, quoteOfId, parentVisibility, quotedVisibility } = post;
    if (inReplyToId !== null && countsIn(visibility, parentVisibility)) this.add(inReplyToId, 'replies', delta);
    if (quoteOfId !== null && countsIn(visibility, quotedVisibility)) this.add(quoteOfId, 'quotes', delta);
  }
}
