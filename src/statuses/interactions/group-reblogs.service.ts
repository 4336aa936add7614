import { Injectable } from '@nestjs/common';
import { ignoreRefusal } from '../../common/index.js';
import { firstFlakeAt, OwnerLocks, Subscribes, UnitOfWork } from '../../platform/index.js';
import { GroupAddressed } from '../model/statuses.events.js';
import { GroupReblogsRepository } from './group-reblogs.repository.js';
import { InteractionsService } from './interactions.service.js';

const HOUR_MS = 3_600_000;

/** The most boosts of a group in an hour: a flood of mentions does not reach its followers (threat F32). */
export const MAX_BOOSTS_PER_HOUR = 60;
/** Groups boost posts of the last days only: older ones are only fetched, as parts of threads. */
const MAX_AGE_DAYS = 3;

/** Groups of this server boost the public posts that address them, of anybody: their followers see them. */
@Injectable()
export class GroupReblogsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly locks: OwnerLocks,
    private readonly interactions: InteractionsService,
    private readonly repository: GroupReblogsRepository,
  ) {}

  /**
   * Boosts a post as each of these groups that it addresses, without `groupIds` as each that it addresses. A post that comes
   * when a group has no boost left is not boosted later.
   */
  @Subscribes(GroupAddressed, { job: 'statuses.boost-as-group', queue: 'fanout' })
  async reblog({ statusId, groupIds }: GroupAddressed): Promise<void> {
    for (const groupId of await this.repository.groupsToReblog(statusId, MAX_AGE_DAYS, groupIds))
      await this.reblogAs(groupId, statusId);
  }

  private async reblogAs(groupId: string, statusId: string): Promise<void> {
    const unit = this.uow.run(async () => {
      await this.locks.lock('group reblogs', groupId);
      const reblogs = await this.repository.countReblogsSince(groupId, firstFlakeAt(Date.now() - HOUR_MS));
      if (reblogs < MAX_BOOSTS_PER_HOUR) await this.interactions.reblog(statusId, groupId, 'public');
    });
    await unit.catch(ignoreRefusal); // the post may be deleted or hidden meanwhile
  }
}
