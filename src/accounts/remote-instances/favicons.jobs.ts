import { Injectable } from '@nestjs/common';
import { Recurs } from '../../platform/index.js';
import { FaviconsService } from './favicons.service.js';

const EVERY_MINUTES = 10;

/** Refreshes the favicons of remote servers. */
@Injectable()
export class FaviconsJobs {
  constructor(private readonly favicons: FaviconsService) {}

  @Recurs({ job: 'accounts.refresh-favicons', everyMinutes: EVERY_MINUTES, queue: 'pages' })
  async refresh(): Promise<void> {
    await this.favicons.refresh();
  }
}
