import { Injectable, Logger } from '@nestjs/common';
import { AccountsService, UsersService } from '../../accounts/index.js';
import { Pages } from '../../common/index.js';
import { done, Handles, job, Jobs, Mailer, type Outcome, skip, UnitOfWork } from '../../platform/index.js';

/** Tells the owner of an account that its password is being guessed. */
export const NotifyOfGuessing = job<{ accountId: string }>('mail.password-guessing', 'mail');

/** Notifies owners of accounts, or else the operator, of many wrong passwords; at most once a day (threat O27). */
@Injectable()
export class GuessingNoticeService {
  private readonly logger = new Logger(GuessingNoticeService.name);

  constructor(
    private readonly uow: UnitOfWork,
    private readonly jobs: Jobs,
    private readonly mailer: Mailer,
    private readonly pages: Pages,
    private readonly accounts: AccountsService,
    private readonly users: UsersService,
  ) {}

  /** Does the same work when there is no account (threat O12). */
  async request(accountId: string | undefined): Promise<void> {
    await this.uow.run(async () => {
      const isDue = await this.users.claimGuessingNotice(accountId ?? '');
      if (isDue && accountId !== undefined) this.jobs.enqueue(NotifyOfGuessing, { accountId });
    });
  }

  /** Sends a letter to a confirmed address; without one, or without a mail server, writes to the log. */
  @Handles(NotifyOfGuessing)
  async send({ accountId }: { accountId: string }): Promise<Outcome> {
    const account = await this.accounts.byId(accountId);
    if (!account || account.deletedAt !== null) return skip('The account is gone');
    const { email, locale, confirmed } = await this.users.facts(accountId);
    if (!this.mailer.isOn || email === null || !confirmed) {
      this.logger.warn(`The password of the account ${account.nickname} is being guessed; its owner gets no mail`);
      return done;
    }
    const t = this.pages.translatorFor(locale);
    const { name: server } = this.pages.site;
    const letter = this.pages.letter(t, {
      subject: t.text('mail.guessing.subject', { server }),
      paragraphs: [t.text('mail.guessing.text', { handle: `@${account.nickname}` }), t.text('mail.guessing.advice')],
    });
    return this.mailer.deliver({ to: email, ...letter });
  }
}
