import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/index.js';
import { GradualRemovalService } from '../core/gradual-removal.service.js';
import { RemovedStatuses } from '../counters/removed-statuses.js';
import { ForgottenStatusRepository } from './forgotten-status.repository.js';

/** Removes stored copies of remote posts, which exist on their servers still. */
@Injectable()
export class ForgottenStatusesService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly repository: ForgottenStatusRepository,
    private readonly removed: RemovedStatuses,
    private readonly gradual: GradualRemovalService,
  ) {}

  /**
   * Removes the remote posts among these with their boosts and parts, in one unit of work; returns the number of posts. What
   * refers to popular ones is removed gradually. No tombstone stays, so that a post may arrive again, and no event follows: no
   * reader has seen them for long. The caller makes sure that nothing here needs them.
   */
  async forget(ids: readonly string[]): Promise<number> {
    return this.uow.run(async () => {
      const posts = await this.repository.lock(ids);
      if (posts.length === 0) return 0;
      await this.removed.removeBelongings(posts);
      const popular = posts.filter(({ isPopular }) => isPopular);
      for (const post of popular) await this.gradual.begin(post, { isForgotten: true });
      const entries = await this.repository.remove(posts.filter((post) => !post.isPopular).map(({ id }) => id));
      this.removed.uncount(
        posts,
        [...popular, ...entries].filter(({ isCounted }) => isCounted),
      );
      return posts.length;
    });
  }
}
