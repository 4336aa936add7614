import { Injectable } from '@nestjs/common';
import { AccountsService, type LoginResult, UsersService } from '../../accounts/index.js';
import { Pages } from '../../common/index.js';
import {
  DAILY,
  Handles,
  hashToken,
  job,
  Jobs,
  Mailer,
  newToken,
  type Outcome,
  OwnerLocks,
  Recurs,
  skip,
  UnitOfWork,
} from '../../platform/index.js';
import { LETTERS_AN_HOUR, tooManyLetters } from '../reset-links/letters.js';
import { PasswordResetsRepository } from '../reset-links/password-resets.repository.js';
import { PasswordsService } from './passwords.service.js';

/** Sends a letter to the user with a nickname or an address, if there is one. */
export const MailPasswordReset = job<{ login: string }>('mail.password-reset', 'mail');

/** A link for a new password, and the token in it: secrets. */
export interface ResetLink {
  readonly token: string;
  readonly link: string;
}

/** New passwords in place of forgotten ones, by a link in a letter. */
@Injectable()
export class PasswordResetsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly locks: OwnerLocks,
    private readonly jobs: Jobs,
    private readonly mailer: Mailer,
    private readonly pages: Pages,
    private readonly accounts: AccountsService,
    private readonly users: UsersService,
    private readonly passwords: PasswordsService,
    private readonly resets: PasswordResetsRepository,
  ) {}

  /** Asks for a letter. Looks no account up, so that neither answer nor time reveals accounts (threat O12). */
  async request(login: string): Promise<void> {
    if (login === '' || !this.mailer.isOn) return;
    await this.uow.run(() => {
      this.jobs.enqueue(MailPasswordReset, { login });
    });
  }

  /** Sends the letter, to confirmed addresses only: the owner of another one need not be the owner of the account. */
  @Handles(MailPasswordReset)
  async send({ login }: { login: string }): Promise<Outcome> {
    const account = await this.accounts.byId((await this.users.idOfLogin(login)) ?? '');
    if (!account || account.deletedAt !== null) return skip('No account has this login');
    const { email, locale, confirmed, state } = await this.users.facts(account.id);
    if (email === null || !confirmed || state === 'deactivated') return skip('The account gets no such letter');
    const token = newToken();
    const hash = hashToken(token);
    const refusal = await this.uow.run(async () => {
      await this.locks.lock('password resets', account.id);
      await this.users.lock(account.id);
      // Again, behind the lock: a change of the address, which ends links, may have come first (threat O25).
      if ((await this.users.facts(account.id)).email !== email) return skip('The account has another address now');
      if (await this.resets.addCounted(hash, account.id, LETTERS_AN_HOUR)) return undefined;
      return tooManyLetters(await this.resets.hasLetter(account.id));
    });
    if (refusal) return refusal;
    const t = this.pages.translatorFor(locale);
    const { name: server } = this.pages.site;
    const letter = this.pages.letter(t, {
      subject: t.text('mail.reset.subject', { server }),
      paragraphs: [t.text('mail.reset.text', { handle: `@${account.nickname}` }), t.text('mail.reset.stranger')],
      action: { label: t.text('mail.reset.action'), url: this.urlOf(token) },
    });
    const outcome = await this.mailer.deliver({ to: email, ...letter });
    if (outcome.kind === 'retry') await this.resets.uncount(hash);
    return outcome;
  }

  /** A link for the staff to hand on; the letters of an hour do not limit it, and it is none of them. */
  async link(accountId: string): Promise<ResetLink> {
    const token = newToken();
    await this.resets.add(hashToken(token), accountId);
    return { token, link: this.urlOf(token) };
  }

  /** A link for whoever knows a password that an administrator gave; undefined for any other password. */
  async linkForGiven(login: LoginResult): Promise<string | undefined> {
    return this.uow.run(async () => {
      const isGiven = (await this.users.lockPassword(login)) && (await this.users.hasGivenPassword(login.accountId));
      return isGiven ? (await this.link(login.accountId)).link : undefined;
    });
  }

  private urlOf(token: string): string {
    return `${this.pages.site.url}/api/v1/svc/password_reset/${token}`;
  }

  /** Whether a link can still be used; uses nothing up. */
  isValid(token: string): Promise<boolean> {
    return this.resets.isValid(hashToken(token));
  }

  /**
   * Sets the password by a link, which ends all sign-ins of the account, and the links for new passwords and for other
   * addresses. False when the link is not valid.
   * @throws UserRefused for a password that is too short or too long; the link stays valid
   */
  async complete(token: string, password: string): Promise<boolean> {
    return this.uow.run(async () => {
      const accountId = await this.resets.use(hashToken(token));
      if (accountId !== undefined) await this.passwords.reset(accountId, password);
      return accountId !== undefined;
    });
  }

  /** Removes expired links. */
  @Recurs({ job: 'oauth.purge-password-resets', everyMinutes: DAILY })
  async purge(): Promise<void> {
    await this.resets.purge();
  }
}
