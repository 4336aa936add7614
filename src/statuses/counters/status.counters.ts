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

/** The numbers of favourites and boosts that the server of a post states; null where it states none. */
export interface RemoteStatusCounts {
  readonly favourites: number | null;
  readonly reblogs: number | null;
}

/** The changes of one status's counters, and the numbers that its server states, which replace earlier ones. */
export interface StatusUpdate extends StatusChange {
  readonly remote: RemoteStatusCounts;
  /** Whether the number of boosts that its server states has the boosts of this change already. */
  readonly isStated?: boolean;
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

const NO_REMOTE_COUNTS: RemoteStatusCounts = { favourites: null, reblogs: null };
const UNCHANGED = { replies: 0, reblogs: 0, favourites: 0, reactions: 0, quotes: 0, remote: NO_REMOTE_COUNTS } as const;

/** Before the counters of accounts (500): every unit locks status_stats first, then account_stats, both by id. */
const ORDER = 200;

/** Collects the changes of a unit of work and writes them once, at its end. */
class PendingChanges implements Collector {
  readonly order = ORDER;
  private readonly changes = new Map<string, StatusUpdate>();

  constructor(private readonly write: (changes: readonly StatusUpdate[]) => Promise<void>) {}

  add(statusId: string, counter: Counted, delta: number): void {
    const change = this.of(statusId);
    this.changes.set(statusId, { ...change, [counter]: change[counter] + delta });
  }

  setRemote(statusId: string, remote: RemoteStatusCounts): void {
    this.changes.set(statusId, { ...this.of(statusId), remote });
  }

  setStated(statusId: string): void {
    this.changes.set(statusId, { ...this.of(statusId), isStated: true });
  }

  private of(statusId: string): StatusUpdate {
    return this.changes.get(statusId) ?? { ...UNCHANGED, statusId };
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
    this.pending().add(statusId, counter, delta);
  }

  /** Counts a boost. `isStated`: the number that the server of the post states has it. Throws outside a unit of work. */
  addReblog(statusId: string, isStated = false): void {
    this.add(statusId, 'reblogs', 1);
    if (isStated) this.pending().setStated(statusId);
  }

  /** Stores the numbers that the server of a remote post states, if it does. Throws outside a unit of work. */
  setRemote(statusId: string, remote: RemoteStatusCounts): void {
    if (remote.favourites !== null || remote.reblogs !== null) this.pending().setRemote(statusId, remote);
  }

  private pending(): PendingChanges {
    return this.uow.collector(this, () => new PendingChanges((changes) => this.repository.apply(changes)));
  }

  /** Counts a reply or quote in the posts that it refers to, or no longer. Throws outside a unit of work. */
  addReferences(status: Referring, delta: 1 | -1): void {
    const { visibility, inReplyToId, quoteOfId, parentVisibility, quotedVisibility } = status;
    if (inReplyToId !== null && countsIn(visibility, parentVisibility)) this.add(inReplyToId, 'replies', delta);
    if (quoteOfId !== null && countsIn(visibility, quotedVisibility)) this.add(quoteOfId, 'quotes', delta);
  }
}
