import { Injectable } from '@nestjs/common';
import { AccountDeletionService, GHOST_ID } from '../../accounts/index.js';
import { Handles, job, Jobs, UnitOfWork, walkSlices } from '../../platform/index.js';
import { type RemovedParts, StatusRepository } from './status.repository.js';
import { RemovedStatuses } from '../counters/removed-statuses.js';
import type { RemovedStatus } from '../model/removed-status.js';
import { StatusTotals } from '../counters/status-totals.js';
import { LIST, Visibility } from '../model/visibility.js';
import { GradualRemovalRepository } from './gradual-removal.repository.js';

/** A popular post that is removed. */
interface RemovedPopular {
  readonly statusId: string;
  /** Whether the post and its boosts exist still on the servers of their authors. */
  readonly isForgotten?: boolean;
}

/** Removes the next references to a popular post that was deleted, and at last its row. */
export const RemoveGradually = job<RemovedPopular>('statuses.remove-gradually', 'maintenance');

/** References of each kind that one unit of work removes. */
const ROWS = 200;
/** Units of work of one job; other maintenance takes its turn in between. */
const SLICES = 20;

/**
 * Removes popular posts: their boosts, replies and favourites are too many for one unit of work. The post is emptied and
 * handed over to the ghost account at once. Every read treats it like a post of any deleted account, so that nobody sees it
 * or acts on it; jobs remove the rest.
 */
@Injectable()
export class GradualRemovalService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly jobs: Jobs,
    private readonly accounts: AccountDeletionService,
    private readonly statuses: StatusRepository,
    private readonly repository: GradualRemovalRepository,
    private readonly removed: RemovedStatuses,
    private readonly totals: StatusTotals,
  ) {}

  /** Begins to remove a locked post; the caller takes it out of the counters of its author. Throws outside a unit of work. */
  async begin(status: RemovedStatus, { isForgotten = false } = {}): Promise<RemovedParts> {
    await this.accounts.ensureGhost();
    // Another visibility: servers forget all that they read with the old one (docs/adr/0025).
    const visibility = LIST.includes(status.visibility) ? Visibility.direct : Visibility.list;
    const parts = await this.statuses.handOver(status, GHOST_ID, visibility);
    this.totals.add(GHOST_ID, visibility, 1);
    this.enqueue({ statusId: status.id, isForgotten });
    return parts;
  }

  /** Safe to run twice. */
  @Handles(RemoveGradually)
  async continue(post: RemovedPopular): Promise<void> {
    const step = async () => (await this.removeSome(post)) || undefined;
    const hasMore = await walkSlices(true, step, { atMost: SLICES });
    if (hasMore === true) await this.uow.run(() => this.enqueue(post));
  }

  /** Returns whether more is to be done. */
  private async removeSome({ statusId, isForgotten = false }: RemovedPopular): Promise<boolean> {
    return this.uow.run(async () => {
      const status = await this.repository.lock(statusId, GHOST_ID);
      if (!status) return false;
      const { count, reblogs } = await this.repository.removeReferences(statusId, ROWS);
      this.removed.uncount(
        [],
        reblogs.filter(({ isCounted }) => isCounted || !isForgotten),
      );
      if (count > 0) return true;
      await this.repository.remove(statusId);
      this.totals.add(status.authorId, status.visibility, -1);
      return false;
    });
  }

  private enqueue(post: RemovedPopular): void {
    this.jobs.enqueue(RemoveGradually, post, { key: `statuses.remove-gradually:${post.statusId}` });
  }
}
