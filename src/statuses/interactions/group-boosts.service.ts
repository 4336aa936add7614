import { Injectable } from '@nestjs/common';
import { ignoreRefusal } from '../../common/index.js';
import { firstFlakeAt, OwnerLocks, UnitOfWork } from '../../platform/index.js';
import { GroupBoostsRepository } from './group-boosts.repository.js';
import { InteractionsService } from './interactions.service.js';

const HOUR_MS = 3_600_000;

/** Most boosts of a group in an hour, so that a flood of mentions ends (threat F32). */
export const BOOSTS_AN_HOUR = 60;
/** Older posts are only fetched, as parts of threads. */
const DAYS = 3;

/** Groups of this server boost the public posts that address them, of anybody: their followers see them. */
@Injectable()
export class GroupBoostsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly locks: OwnerLocks,
    private readonly interactions: InteractionsService,
    private readonly repository: GroupBoostsRepository,
  ) {}

  /** Boosts a new post as each group that it addresses. A post that comes when a group has no boost left is not boosted later. */
  async boost(statusId: string): Promise<void> {
    for (const groupId of await this.repository.addressedBy(statusId, DAYS)) await this.boostAs(groupId, statusId);
  }

  private async boostAs(groupId: string, statusId: string): Promise<void> {
    const unit = this.uow.run(async () => {
      await this.locks.take('group boosts', groupId);
      const boosts = await this.repository.countSince(groupId, firstFlakeAt(Date.now() - HOUR_MS));
      if (boosts < BOOSTS_AN_HOUR) await this.interactions.reblog(statusId, groupId, 'public');
    });
    await unit.catch(ignoreRefusal); // the post may be deleted or hidden meanwhile
  }
}
