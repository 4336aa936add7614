import { Injectable } from '@nestjs/common';
import { Handles, type Outcome, Recurs } from '../../platform/index.js';
import { MailPasswordReset, PasswordResetsService } from './password-resets.service.js';

const DAILY = 24 * 60;

/** Sends letters with links for new passwords, and removes old links. */
@Injectable()
export class PasswordResetsJobs {
  constructor(private readonly resets: PasswordResetsService) {}

  @Handles(MailPasswordReset)
  send({ login }: { login: string }): Promise<Outcome> {
    return this.resets.send(login);
  }

  @Recurs({ job: 'oauth.purge-password-resets', everyMinutes: DAILY })
  async purge(): Promise<void> {
    await this.resets.purge();
  }
}
