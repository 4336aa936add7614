import { Injectable } from '@nestjs/common';
import { Handles, type Outcome, Recurs } from '../../platform/index.js';
import { GuessingNoticeService, NotifyOfGuessing } from './guessing-notice.service.js';
import { KnownNetworksService } from './known-networks.service.js';

const DAILY = 24 * 60;

/** Sends notices about guessed passwords, and removes old known networks. */
@Injectable()
export class GuessingJobs {
  constructor(
    private readonly notices: GuessingNoticeService,
    private readonly networks: KnownNetworksService,
  ) {}

  @Handles(NotifyOfGuessing)
  notify({ accountId }: { accountId: string }): Promise<Outcome> {
    return this.notices.send(accountId);
  }

  @Recurs({ job: 'oauth.purge-known-networks', everyMinutes: DAILY })
  async purge(): Promise<void> {
    await this.networks.purge();
  }
}
