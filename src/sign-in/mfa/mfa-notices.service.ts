import { Injectable } from '@nestjs/common';
import { AccountsService, UsersService } from '../../accounts/index.js';
import { Pages } from '../../common/index.js';
import { Handles, job, Jobs, Mailer, type Outcome, skip, UnitOfWork } from '../../platform/index.js';

/** The news about the second factor: it was switched, got new recovery codes, or its codes are being guessed. */
export type MfaChange = 'on' | 'off' | 'codes' | 'guessing';

interface Notice {
  readonly accountId: string;
  readonly news: MfaChange;
}

/** Tells the owner of an account about its second factor. */
export const NotifyOfMfa = job<Notice>('mail.second-factor', 'mail');

/** Notifies owners of accounts about their second factor, since another person may have changed it. */
@Injectable()
export class MfaNoticesService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly jobs: Jobs,
    private readonly mailer: Mailer,
    private readonly pages: Pages,
    private readonly accounts: AccountsService,
    private readonly users: UsersService,
  ) {}

  request(accountId: string, change: MfaChange): Promise<void> {
    return this.uow.run(() => {
      this.jobs.enqueue(NotifyOfMfa, { accountId, news: change });
    });
  }

  /** Sends a letter to a confirmed address. */
  @Handles(NotifyOfMfa)
  async send({ accountId, news: change }: Notice): Promise<Outcome> {
    const account = await this.accounts.byId(accountId);
    if (!account || account.deletedAt !== null) return skip('The account is gone');
    const { email, locale, confirmed } = await this.users.facts(accountId);
    if (!this.mailer.isOn || email === null || !confirmed) return skip('There is no mail server or no address');
    const t = this.pages.translatorFor(locale);
    const { name: server } = this.pages.site;
    const letter = this.pages.letter(t, {
      subject: t.text(`mail.mfa.${change}.subject`, { server }),
      paragraphs: [t.text(`mail.mfa.${change}.text`, { handle: `@${account.nickname}` }), t.text('mail.mfa.advice')],
    });
    return this.mailer.deliver({ to: email, ...letter });
  }
}
