import { Injectable } from '@nestjs/common';
import { Handles, type Outcome, Recurs } from '../../platform/index.js';
import { type InviteLetter, InvitesService, MailInvite } from './invites.service.js';

const DAILY = 24 * 60;

/** Sends invites by mail, and removes old ones. */
@Injectable()
export class InvitesJobs {
  constructor(private readonly invites: InvitesService) {}

  @Handles(MailInvite)
  send(letter: InviteLetter): Promise<Outcome> {
    return this.invites.send(letter);
  }

  @Recurs({ job: 'oauth.purge-invites', everyMinutes: DAILY })
  async purge(): Promise<void> {
    await this.invites.purge();
  }
}
