import { Injectable } from '@nestjs/common';
import { AccountActivated, AccountDeactivated } from '../../accounts/index.js';
import { unique } from '../../common/index.js';
import { FIRST_ID, highestId, Subscribes, UnitOfWork, walkSlices } from '../../platform/index.js';
import { StatusCounterRepairRepository } from './counter-repair.repository.js';
import { RECOUNTED, type Recounted, StatusRecountRepository } from './recount.repository.js';
import { StatusCounters } from './status.counters.js';

/** Actions that one unit of work corrects. */
const BATCH = 100;
const FIRST: Readonly<Record<Recounted, string>> = { favourites: '0', reblogs: FIRST_ID };

/** Lets the actions of an account count while it is active, and not while it is deactivated. */
@Injectable()
export class StatusRecountService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly repository: StatusRecountRepository,
    private readonly locks: StatusCounterRepairRepository,
    private readonly counters: StatusCounters,
  ) {}

  /**
   * Corrects the counters of posts after an account was deactivated or activated, in several units of work. Once more for
   * the actions that were not committed by then. Safe to run twice.
   */
  @Subscribes(AccountDeactivated, { job: 'statuses.uncount-actions', queue: 'maintenance' })
  @Subscribes(AccountActivated, { job: 'statuses.count-actions', queue: 'maintenance' })
  @Subscribes(AccountDeactivated, { job: 'statuses.uncount-late-actions', queue: 'maintenance', afterMinutes: 60 })
  @Subscribes(AccountActivated, { job: 'statuses.count-late-actions', queue: 'maintenance', afterMinutes: 60 })
  async recount({ accountId }: Pick<AccountDeactivated, 'accountId'>): Promise<void> {
    for (const which of RECOUNTED)
      await walkSlices<string>(FIRST[which], (after) => this.recountSome(which, accountId, after));
  }

  /** Returns the id after which more may be wrong. */
  private recountSome(which: Recounted, accountId: string, after: string): Promise<string | undefined> {
    return this.uow.run(async () => {
      const rows = await this.repository.recount(which, accountId, after, BATCH);
      const ids = unique(rows.map((row) => row.statusId));
      await this.locks.lock(ids);
      const remote = await this.repository.remoteCounts(ids);
      for (const { statusId: id, counted } of rows) {
        this.counters.add(id, which, counted ? 1 : -1);
        this.counters.setRemote(id, remote.get(id) ?? { favourites: null, reblogs: null }); // what its server states stays
      }
      return rows.length < BATCH ? undefined : highestId(rows.map((row) => row.id));
    });
  }
}
