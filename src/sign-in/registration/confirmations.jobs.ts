import { Injectable } from '@nestjs/common';
import { AccountCreated } from '../../accounts/index.js';
import { Handles, type Outcome, Recurs, Subscribes } from '../../platform/index.js';
import { ConfirmAddress, ConfirmationsService, ConfirmNewAddress, NotifyOfAddress } from './confirmations.service.js';

const DAILY = 24 * 60;

/** Sends letters that ask new users to confirm their address. */
@Injectable()
export class ConfirmationsJobs {
  constructor(private readonly confirmations: ConfirmationsService) {}

  @Subscribes(AccountCreated, { job: 'mail.confirm-new-account', queue: 'mail', when: ({ local }) => local })
  welcome({ accountId }: AccountCreated): Promise<Outcome> {
    return this.confirmations.send(accountId);
  }

  @Handles(ConfirmAddress)
  send({ accountId }: { accountId: string }): Promise<Outcome> {
    return this.confirmations.send(accountId);
  }

  @Handles(ConfirmNewAddress)
  sendToNew({ accountId, email }: { accountId: string; email: string }): Promise<Outcome> {
    return this.confirmations.sendToNew(accountId, email);
  }

  @Handles(NotifyOfAddress)
  notify({ accountId, to }: { accountId: string; to: string }): Promise<Outcome> {
    return this.confirmations.notify(accountId, to);
  }

  @Recurs({ job: 'oauth.purge-confirmations', everyMinutes: DAILY })
  async purge(): Promise<void> {
    await this.confirmations.purge();
  }
}
