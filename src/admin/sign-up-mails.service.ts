import { Inject, Injectable } from '@nestjs/common';
import {
  AccountCreated,
  AccountsService,
  type ModeratedAccount,
  ModeratedAccountsService,
  UserApproved,
  UserConfirmed,
  UserRejected,
  UsersService,
} from '../accounts/index.js';
import { type MessageKey, Pages } from '../common/index.js';
import { SIGN_IN_PATH, UnsubscribeService } from '../sign-in/index.js';
import {
  ENV,
  type Env,
  Handles,
  job,
  Jobs,
  knownUrl,
  Mailer,
  type Outcome,
  skip,
  Subscribes,
  UnitOfWork,
} from '../platform/index.js';
import { ReportRepository } from './report.repository.js';

export interface MailWaiting {
  readonly accountId: string;
  /** The receiver. */
  readonly staffId: string;
}

export const MailWaitingJob = job<MailWaiting>('mail.user-waiting', 'mail');

/** Tells a user that the staff is still to approve it. */
export const MailPendingJob = job<{ accountId: string }>('mail.user-pending', 'mail');

/** No privilege lets moderators approve accounts. */
const WITH_MODERATORS = false;

type Kind = 'waiting' | 'pending' | 'approved' | 'rejected';

interface Letter {
  readonly kind: Kind;
  readonly to: string;
  readonly locale: string | null;
  readonly nickname: string;
  readonly path?: string;
  readonly unsubscribe?: string;
  /** Why the user wants to join. */
  readonly reason?: string | null;
}

/** Mails about users that wait for approval: to the staff, and to them about the decision. */
@Injectable()
export class SignUpMailsService {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly uow: UnitOfWork,
    private readonly jobs: Jobs,
    private readonly mailer: Mailer,
    private readonly pages: Pages,
    private readonly accounts: AccountsService,
    private readonly users: UsersService,
    private readonly moderated: ModeratedAccountsService,
    private readonly reports: ReportRepository,
    private readonly unsubscribes: UnsubscribeService,
  ) {}

  /**
   * Creates one job for each member of the staff, and one for the user, once. Does nothing without a mail server, when the user
   * need not wait, and before the address is confirmed: a stranger's address makes no work. A user whose address is
   * confirmed while it is deactivated is announced when it is activated.
   */
  @Subscribes(AccountCreated, { job: 'admin.announce-waiting', queue: 'mail', when: ({ local }) => local })
  @Subscribes(UserConfirmed, { job: 'admin.announce-confirmed', queue: 'mail' })
  async announce({ accountId }: Pick<AccountCreated, 'accountId'>): Promise<void> {
    if (!this.mailer.isOn || !(await this.waiting(accountId))) return;
    const staff = await this.reports.staffAddresses('sign-up', WITH_MODERATORS);
    await this.uow.run(async () => {
      await this.jobs.endRunning();
      this.jobs.enqueue(MailPendingJob, { accountId }, { key: `mail.user-pending:${accountId}` });
      for (const { accountId: staffId } of staff) {
        const key = `mail.user-waiting:${accountId}:${staffId}`;
        this.jobs.enqueue(MailWaitingJob, { accountId, staffId }, { key });
      }
    });
  }

  /** Mails a member of the staff, if the user still waits. */
  @Handles(MailWaitingJob)
  async sendWaiting({ accountId, staffId }: MailWaiting): Promise<Outcome> {
    const [user, reader] = await Promise.all([
      this.waiting(accountId),
      this.reports.staffAddress('sign-up', WITH_MODERATORS, staffId),
    ]);
    if (!user || !reader) return skip('The account waits no longer, or no recipient is left');
    const unsubscribe = this.unsubscribes.urlFor(staffId, 'sign-up');
    const { nickname, registrationReason: reason } = user;
    return this.send({ kind: 'waiting', to: reader.email, locale: reader.locale, nickname, reason, unsubscribe });
  }

  /** Mails the user, if it still waits. */
  @Handles(MailPendingJob)
  async sendPending({ accountId }: { accountId: string }): Promise<Outcome> {
    const user = await this.waiting(accountId);
    if (!user?.email) return skip('The account waits no longer, or has no address');
    const { locale } = await this.users.facts(accountId);
    return this.send({ kind: 'pending', to: user.email, locale, nickname: user.nickname });
  }

  @Subscribes(UserApproved, { job: 'mail.user-approved', queue: 'mail' })
  async sendApproved({ accountId }: UserApproved): Promise<Outcome> {
    const account = await this.accounts.byId(accountId);
    const user = account?.deactivatedAt === null ? await this.users.facts(accountId) : undefined;
    if (!account || !user?.email) return skip('There is no recipient');
    const { email: to, locale } = user;
    return this.send({ kind: 'approved', to, locale, nickname: account.nickname, path: SIGN_IN_PATH });
  }

  @Subscribes(UserRejected, { job: 'mail.user-rejected', queue: 'mail' })
  async sendRejected({ nickname, email, locale }: UserRejected): Promise<Outcome> {
    if (email === null) return skip('There is no recipient');
    return this.send({ kind: 'rejected', to: email, locale, nickname });
  }

  /** An active user with a confirmed address that waits for approval. */
  private async waiting(accountId: string): Promise<ModeratedAccount | undefined> {
    const [user] = await this.moderated.byIds([accountId]);
    return user?.domain === null && !user.isDeactivated && user.isConfirmed && !user.isApproved ? user : undefined;
  }

  private async send({ kind, to, locale, nickname, path = '/', unsubscribe, reason }: Letter): Promise<Outcome> {
    if (!this.mailer.isOn) return skip('There is no mail server: SMTP_URL is not set');
    const t = this.pages.translatorFor(locale);
    const values = { account: `@${nickname}`, server: this.pages.site.name };
    const text = (part: 'subject' | 'text' | 'action') => t.text(`mail.${kind}.${part}` satisfies MessageKey, values);
    const action = { label: text('action'), url: knownUrl(path, this.env.baseUrl).href };
    const why = reason ? [t.text('mail.waiting.reason', { reason })] : [];
    const content = { subject: text('subject'), paragraphs: [text('text'), ...why], action };
    return this.mailer.deliver({ to, ...this.pages.letter(t, unsubscribe ? { ...content, unsubscribe } : content) });
  }
}
