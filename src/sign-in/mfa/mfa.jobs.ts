import { Injectable } from '@nestjs/common';
import { Handles, type Outcome, Recurs } from '../../platform/index.js';
import { MfaChallenges } from './mfa-challenges.js';
import { MfaNoticesService, NotifyOfMfa } from './mfa-notices.service.js';

const HOURLY = 60;

/** Sends notices about the second factor, and removes challenges without an answer. */
@Injectable()
export class MfaJobs {
  constructor(
    private readonly challenges: MfaChallenges,
    private readonly notices: MfaNoticesService,
  ) {}

  @Handles(NotifyOfMfa)
  notify(notice: Parameters<MfaNoticesService['send']>[0]): Promise<Outcome> {
    return this.notices.send(notice);
  }

  @Recurs({ job: 'oauth.purge-mfa-challenges', everyMinutes: HOURLY })
  async purge(): Promise<void> {
    await this.challenges.purge();
  }
}
