import { Injectable } from '@nestjs/common';
import { AccountCounters } from '../../accounts/index.js';
import { AttachmentsService } from '../../media/index.js';
import { Jobs, UnitOfWork } from '../../platform/index.js';
import { StatusTotals } from '../counters/status-totals.js';
import { StatusCounters } from '../counters/status.counters.js';
import { endOfPoll } from '../model/expiry.js';
import { StatusFlag } from '../model/status.flags.js';
import { ADDRESSED_ONLY } from '../model/visibility.js';
import { ForgottenStatusRepository } from './forgotten-status.repository.js';

/** Removes stored copies of remote posts, which exist on their servers still. */
@Injectable()
export class ForgottenStatusesService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly jobs: Jobs,
    private readonly repository: ForgottenStatusRepository,
    private readonly counters: StatusCounters,
    private readonly accountCounters: AccountCounters,
    private readonly totals: StatusTotals,
    private readonly attachments: AttachmentsService,
  ) {}

  /**
   * Removes the remote posts among these with their boosts and parts, in one unit of work; returns the number of posts. No
   * tombstone stays, so that a post may arrive again, and no event follows: no reader has seen them for long. The caller
   * makes sure that nothing here needs them.
   */
  async forget(ids: readonly string[]): Promise<number> {
    return this.uow.run(async () => {
      const posts = await this.repository.lock(ids);
      if (posts.length === 0) return 0;
      const stored = posts.map(({ id }) => id);
      const withFiles = posts.filter(({ flags, editedAt }) => editedAt !== null || (flags & StatusFlag.media) !== 0);
      await this.attachments.removeOf(withFiles.map(({ id }) => id));
      for (const { id, flags } of posts) if ((flags & StatusFlag.poll) !== 0) this.jobs.cancel(endOfPoll(id));
      const entries = await this.repository.remove(stored);
      for (const { authorId, visibility, isCounted } of entries)
        if (isCounted && !ADDRESSED_ONLY.includes(visibility)) this.accountCounters.add(authorId, 'statuses', -1);
      for (const post of posts) {
        this.counters.addReferences(post, -1);
        this.totals.add(post.authorId, post.visibility, -1);
      }
      return posts.length;
    });
  }
}
