import { Injectable } from '@nestjs/common';
import { UserArrived } from '../../accounts/index.js';
import { Handles, type Outcome, Subscribes } from '../../platform/index.js';
import { type Welcome, WelcomeMail, WelcomeMessage, WelcomeService } from './welcome.service.js';

/** Welcomes new accounts, each message in a job of its own. */
@Injectable()
export class WelcomeJobs {
  constructor(private readonly welcome: WelcomeService) {}

  @Subscribes(UserArrived, { job: 'admin.welcome', queue: 'notify' })
  async begin({ accountId }: UserArrived): Promise<void> {
    await this.welcome.begin(accountId);
  }

  @Handles(WelcomeMessage)
  message(welcome: Welcome): Promise<Outcome> {
    return this.welcome.send(welcome);
  }

  @Handles(WelcomeMail)
  mail({ accountId }: { accountId: string }): Promise<Outcome> {
    return this.welcome.mail(accountId);
  }
}
