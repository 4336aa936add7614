import { Injectable } from '@nestjs/common';
import { Handles, Recurs } from '../platform/index.js';
import { ExpireStatus } from './expiry.js';
import { ClosePoll, PollsService } from './polls.service.js';
import { StatusesService } from './statuses.service.js';

const DAILY = 24 * 60;

/** Work on statuses that time asks for. */
@Injectable()
export class StatusJobs {
  constructor(
    private readonly statuses: StatusesService,
    private readonly polls: PollsService,
  ) {}

  @Handles(ExpireStatus)
  async expire({ statusId }: { statusId: string }): Promise<void> {
    await this.statuses.expire(statusId);
  }

  @Handles(ClosePoll)
  async closePoll({ statusId }: { statusId: string }): Promise<void> {
    await this.polls.close(statusId);
  }

  @Recurs({ job: 'statuses.purge-tombstones', everyMinutes: DAILY })
  async purgeTombstones(): Promise<void> {
    await this.statuses.purgeTombstones();
  }
}
