import { Injectable } from '@nestjs/common';
import { Recurs } from '../../platform/index.js';
import { MfaChallenges } from './mfa-challenges.js';

const HOURLY = 60;

/** Removes challenges that nobody answered. */
@Injectable()
export class MfaJobs {
  constructor(private readonly challenges: MfaChallenges) {}

  @Recurs({ job: 'oauth.purge-mfa-challenges', everyMinutes: HOURLY })
  async purge(): Promise<void> {
    await this.challenges.purge();
  }
}
