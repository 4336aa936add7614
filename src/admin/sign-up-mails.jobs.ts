import { Injectable } from '@nestjs/common';
import { AccountCreated, UserApproved, UserConfirmed, UserRejected } from '../accounts/index.js';
import { Handles, type Outcome, Subscribes } from '../platform/index.js';
import { MailPendingJob, type MailWaiting, MailWaitingJob, SignUpMailsService } from './sign-up-mails.service.js';

/** Mails the staff about users that wait, and these about the decision. */
@Injectable()
export class SignUpMailsJobs {
  constructor(private readonly mails: SignUpMailsService) {}

  @Subscribes(AccountCreated, { job: 'admin.announce-waiting', queue: 'mail', when: ({ local }) => local })
  async announce({ accountId }: AccountCreated): Promise<void> {
    await this.mails.announce(accountId);
  }

  @Subscribes(UserConfirmed, { job: 'admin.announce-confirmed', queue: 'mail' })
  async announceConfirmed({ accountId }: UserConfirmed): Promise<void> {
    await this.mails.announce(accountId);
  }

  @Handles(MailPendingJob)
  sendPending({ accountId }: { accountId: string }): Promise<Outcome> {
    return this.mails.sendPending(accountId);
  }

  @Handles(MailWaitingJob)
  sendWaiting(letter: MailWaiting): Promise<Outcome> {
    return this.mails.sendWaiting(letter);
  }

  @Subscribes(UserApproved, { job: 'mail.user-approved', queue: 'mail' })
  sendApproved(event: UserApproved): Promise<Outcome> {
    return this.mails.sendApproved(event);
  }

  @Subscribes(UserRejected, { job: 'mail.user-rejected', queue: 'mail' })
  sendRejected(event: UserRejected): Promise<Outcome> {
    return this.mails.sendRejected(event);
  }
}
