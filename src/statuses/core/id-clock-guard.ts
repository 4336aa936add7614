import { Injectable, type OnModuleInit } from '@nestjs/common';
import { FlakeIds } from '../../platform/index.js';
import { StatusRepository } from './status.repository.js';

/**
 * Ids are made from the clock. After a restore, or a clock that was set back, the newest stored post may come from the
 * future: new ids go on after it, so that they stay in order and none is given twice (threat D6).
 */
@Injectable()
export class IdClockGuard implements OnModuleInit {
  constructor(
    private readonly flakes: FlakeIds,
    private readonly statuses: StatusRepository,
  ) {}

  async onModuleInit(): Promise<void> {
    const newest = await this.statuses.newestId();
    if (newest !== undefined) this.flakes.continueAfter(newest);
  }
}
