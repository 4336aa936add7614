import { Injectable } from '@nestjs/common';
import { AccountDeleted, AccountDeletionService, OwnedRowsRepository } from '../../accounts/index.js';
import { ignoreNotFound } from '../../common/index.js';
import { AttachmentsService } from '../../media/index.js';
import { Handles, job, Jobs, repeatSlices, Subscribes, UnitOfWork } from '../../platform/index.js';
import { ScheduledService } from '../scheduled/scheduled.service.js';
import { type Counted, StatusCounters } from '../counters/status.counters.js';
import { StatusesService } from '../core/statuses.service.js';
import { type RemovedRow, StatusErasureRepository } from './status-erasure.repository.js';

type Erasure = Pick<AccountDeleted, 'accountId'>;

/**
 * Deletes the next posts of a deleted account; when none are left, its favourites, votes and other actions on posts.
 */
export const EraseStatuses = job<Erasure>('statuses.erase', 'maintenance');

/** Number of posts that one job deletes, so that other jobs of the queue get their turn. */
const POSTS = 50;
const ROWS = 100;

/** Deletes the posts of a deleted account and its actions on posts. Every step is safe to run twice. */
@Injectable()
export class StatusErasureService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly jobs: Jobs,
    private readonly repository: StatusErasureRepository,
    private readonly statuses: StatusesService,
    private readonly scheduled: ScheduledService,
    private readonly counters: StatusCounters,
    private readonly attachments: AttachmentsService,
    private readonly rows: OwnedRowsRepository,
    private readonly deletion: AccountDeletionService,
  ) {}

  /**
   * Deletes some posts, each in its own unit of work as the API does, and enqueues the next job while there may be
   * more. What is left of an account that returns meanwhile stays. Posts of an account that its own server deleted may
   * return with it, and none comes before.
   */
  @Subscribes(AccountDeleted, { job: 'statuses.begin-erasure', queue: 'maintenance' })
  @Handles(EraseStatuses)
  async erase({ accountId }: Erasure): Promise<void> {
    const mayReturn = await this.deletion.mayReturn(accountId);
    if (await this.deletion.hasReturned(accountId)) return;
    const ids = await this.repository.newest(accountId, POSTS);
    for (const id of ids)
      await this.statuses.delete(id, accountId, { removesMedia: true, mayReturn }).catch(ignoreNotFound);
    if (ids.length < POSTS) await this.eraseRest(accountId);
    else await this.uow.run(() => this.enqueue(accountId));
  }

  private enqueue(accountId: string): Promise<void> {
    this.jobs.enqueue(EraseStatuses, { accountId }, { key: `statuses.erase:${accountId}` });
    return Promise.resolve();
  }

  /** Deletes everything but the posts. Deletes votes too, but keeps the counts of the polls. */
  private async eraseRest(accountId: string): Promise<void> {
    await this.uncount('favourites', () => this.repository.removeFavourites(accountId, ROWS));
    await this.uncount('reactions', () => this.repository.removeReactions(accountId, ROWS));
    await this.scheduled.removeAll(accountId);
    await this.attachments.removeAll(accountId);
    await this.rows.removeAll(accountId, [
      'poll_votes.account_id',
      'bookmarks.account_id',
      'bookmark_folders.account_id',
      'pins.account_id',
      'thread_mutes.account_id',
      'conversation_participants.account_id',
    ]);
  }

  /** Deletes rows in batches and subtracts them from the counter of their posts. */
  private uncount(counter: Counted, remove: () => Promise<RemovedRow[]>): Promise<void> {
    return repeatSlices(() =>
      this.uow.run(async () => {
        const rows = await remove();
        for (const row of rows) if (row.counted) this.counters.add(row.statusId, counter, -1);
        return rows.length === ROWS;
      }),
    );
  }
}
