import { Injectable } from '@nestjs/common';
import { Recurs } from '../../platform/index.js';
import { BlocksService } from './blocks.service.js';

const EVERY_MINUTES = 5;

/** Removes expired blocks and mutes. */
@Injectable()
export class ExpiryJobs {
  constructor(private readonly blocks: BlocksService) {}

  @Recurs({ job: 'accounts.end-expired', everyMinutes: EVERY_MINUTES })
  async endExpired(): Promise<void> {
    await this.blocks.endExpired();
  }
}
