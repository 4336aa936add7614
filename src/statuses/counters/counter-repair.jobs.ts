import { Injectable, Logger } from '@nestjs/common';
import { DAILY, FIRST_ID, Handles, job, Jobs, Recurs, UnitOfWork } from '../../platform/index.js';
import { StatusCounterRepairService } from './counter-repair.service.js';

/** Corrects the counters of some posts after an id, and enqueues the job of those that follow. */
export const RepairCounters = job<{ after: string }>('statuses.repair-counters-after', 'upkeep');

/** The key of these jobs: only one of them waits or runs. */
const KEY = 'statuses:repair-counters';
/** Slices of 2,000 posts that one job compares: a process that ends leaves no more to do again than that. */
const SLICES = 25;

/** Corrects the counters of posts every day. Any correction points to a bug. */
@Injectable()
export class StatusCounterRepairJobs {
  private readonly logger = new Logger(StatusCounterRepairJobs.name);

  constructor(
    private readonly uow: UnitOfWork,
    private readonly jobs: Jobs,
    private readonly repair: StatusCounterRepairService,
  ) {}

  /** Corrects the numbers of posts of accounts, and begins with the counters of posts, unless those of an earlier day are not done. */
  @Recurs({ job: 'statuses.repair-counters', everyMinutes: DAILY, queue: 'upkeep' })
  async repairCounters(): Promise<void> {
    this.warn(await this.repair.posts({ fix: true }), 'accounts');
    await this.uow.run(() => {
      this.enqueue(FIRST_ID);
    });
  }

  /** Goes on after an id. A job that runs again compares its posts again. */
  @Handles(RepairCounters)
  async repairAfter({ after }: { after: string }): Promise<void> {
    const { wrong, next } = await this.repair.correctSome(after, SLICES);
    this.warn(wrong, 'statuses');
    if (next === undefined) return;
    await this.uow.run(() => {
      this.jobs.cancel(KEY);
      this.enqueue(next);
    });
  }

  private enqueue(after: string): void {
    this.jobs.enqueue(RepairCounters, { after }, { key: KEY });
  }

  private warn(wrong: number, of: string): void {
    if (wrong > 0) this.logger.warn(`Wrong counters of ${wrong} ${of} have been corrected`);
  }
}
