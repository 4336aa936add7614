import { Injectable, type OnModuleInit } from '@nestjs/common';
import { FlakeIds } from '../../platform/index.js';
import { StatusRepository } from './status.repository.js';

/**
 * Continues ids after the newest stored post. Ids are made from the clock: after a restore, or when the clock was set
 * back, new ids could otherwise be out of order or duplicates (threat D6).
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
