import { Injectable } from '@nestjs/common';
import { AccountCounterRepairService, repairInSlices, type RepairOptions } from '../../accounts/index.js';
import { UnitOfWork, walkSlices } from '../../platform/index.js';
import { StatusCounterRepairRepository } from './counter-repair.repository.js';
import { COUNTED, type StatusUpdate, StatusCounters } from './status.counters.js';

/** Finds and corrects counters that do not agree with posts, boosts and favourites. Safe beside a running server. */
@Injectable()
export class StatusCounterRepairService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly repository: StatusCounterRepairRepository,
    private readonly counters: StatusCounters,
    private readonly accounts: AccountCounterRepairService,
  ) {}

  /** Checks the number of posts of each account; returns how many accounts had a wrong number. */
  posts(options: RepairOptions): Promise<number> {
    return this.accounts.run(async (first, last) => {
      const drift = await this.repository.countDrift(first, last);
      return drift.map(({ accountId, statuses }) => ({ accountId, add: { statuses } }));
    }, options);
  }

  /** Checks the counters of all statuses, or of the newest; returns how many statuses had wrong counters. */
  async statuses(options: RepairOptions, newest?: number): Promise<number> {
    const first = newest === undefined ? undefined : await this.repository.before(newest);
    return repairInSlices((after) => this.repairNext(after, options), options, first);
  }

  /** Corrects the counters of the next statuses after an id, in at most so many slices; returns the id after which others follow. */
  async correctSome(first: string, atMost: number): Promise<{ wrong: number; next: string | undefined }> {
    let wrong = 0;
    const step = async (after: string) => {
      const slice = await this.repairNext(after, { fix: true });
      wrong += slice.wrong;
      return slice.ids.at(-1);
    };
    const next = await walkSlices(first, step, { atMost });
    return { wrong, next };
  }

  private async repairNext(after: string, { fix }: RepairOptions): Promise<{ ids: string[]; wrong: number }> {
    const ids = await this.repository.page(after);
    const drift = await this.repository.statusDrift(ids);
    if (fix && drift.length > 0) await this.correct(drift);
    return { ids, wrong: drift.length };
  }

  /** Compares again under a lock, and adds the differences. */
  private async correct(found: readonly StatusUpdate[]): Promise<void> {
    const ids = found.map(({ statusId }) => statusId);
    await this.uow.run(async () => {
      await this.repository.lock(ids);
      for (const drift of await this.repository.statusDrift(ids)) {
        for (const counter of COUNTED) this.counters.add(drift.statusId, counter, drift[counter]);
        this.counters.setRemote(drift.statusId, drift.remote); // the correction changes none of these
      }
    });
  }
}
