import { Injectable } from '@nestjs/common';
import { AccountCreated, requireEmail, UserRefused, UsersService } from '../../accounts/index.js';
import { ignoreNotFound, Invalid, Pages } from '../../common/index.js';
import {
  DAILY,
  Handles,
  hashToken,
  isFlakeId,
  job,
  Jobs,
  Mailer,
  newToken,
  type Outcome,
  OwnerLocks,
  Recurs,
  skip,
  Subscribes,
  UnitOfWork,
} from '../../platform/index.js';
import { LETTERS_AN_HOUR, tooManyLetters } from '../reset-links/letters.js';
import { PasswordResetsRepository } from '../reset-links/password-resets.repository.js';
import { ConfirmationsRepository } from './confirmations.repository.js';

/** Sends a letter with a link that confirms an address. */
export const ConfirmAddress = job<{ accountId: string }>('mail.confirm-address', 'mail');

/** Sends a letter with a link that makes an address the account's own. */
export const ConfirmNewAddress = job<{ accountId: string; email: string }>('mail.confirm-new-address', 'mail');

/** Tells the owner at an earlier address that the account has another one, or none. */
export const NotifyOfAddress = job<{ accountId: string; to: string }>('mail.address-changed', 'mail');

const NO_LINK = 'Invalid confirmation link';

interface Addressee {
  readonly accountId: string;
  readonly email: string;
  readonly locale: string | null;
}

type LetterText = 'mail.confirm.text' | 'mail.confirm.changed';

/** Confirms that new users read the mail of their address (spec §3.2). */
@Injectable()
export class ConfirmationsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly locks: OwnerLocks,
    private readonly jobs: Jobs,
    private readonly mailer: Mailer,
    private readonly pages: Pages,
    private readonly users: UsersService,
    private readonly confirmations: ConfirmationsRepository,
    private readonly resets: PasswordResetsRepository,
  ) {}

  /** Sends the letter once more when a user with that nickname or address waits for one. Does not reveal whether. */
  async resend(login: string): Promise<void> {
    const accountId = await this.users.unconfirmed(login);
    if (accountId === undefined || !this.mailer.isOn) return;
    await this.uow.run(() => {
      this.jobs.enqueue(ConfirmAddress, { accountId }, { key: `confirm:${accountId}` });
    });
  }

  /** Sends the letter to a user whose address is not confirmed. Each letter has its own link; all of them are valid. */
  @Subscribes(AccountCreated, { job: 'mail.confirm-new-account', queue: 'mail', when: ({ local }) => local })
  @Handles(ConfirmAddress)
  async send({ accountId }: { accountId: string }): Promise<Outcome> {
    const user = await this.users.facts(accountId).catch(ignoreNotFound);
    if (!user || user.confirmed || user.email === null) return skip('There is nothing to confirm');
    const { email, locale } = user;
    const isNeeded = async () => (await this.users.facts(accountId).catch(ignoreNotFound))?.email === email;
    return this.mail({ accountId, email, locale }, 'mail.confirm.text', isNeeded);
  }

  private async claimAddress(accountId: string, email: string, token: string): Promise<boolean> {
    if (!(await this.users.facts(accountId)).confirmed) return false;
    const claim = async () => {
      await this.change(accountId, email);
      await this.require(accountId, token); // again, behind the lock of the change: an earlier one may have ended the link
    };
    return this.uow.run(claim).then(() => true, refusedOnly);
  }

  /** `isNeeded` runs behind the locks: a change that ends links may have come first (threat O25). */
  private async mail(
    { accountId, email, locale }: Addressee,
    text: LetterText,
    isNeeded: () => Promise<boolean>,
  ): Promise<Outcome> {
    if (!this.mailer.isOn) return skip('There is no mail server: SMTP_URL is not set');
    const token = newToken();
    const hash = hashToken(token);
    const refusal = await this.uow.run(async () => {
      await this.users.lock(accountId); // before the other lock, in the order of a change of the address
      await this.locks.lock('confirmations', accountId);
      if (!(await isNeeded())) return skip('The account no longer wants this letter');
      if (await this.confirmations.add(hash, accountId, email, LETTERS_AN_HOUR)) return undefined;
      return tooManyLetters(await this.confirmations.hasLink(accountId, email));
    });
    if (refusal) return refusal;
    const t = this.pages.translatorFor(locale);
    const { name: server, url } = this.pages.site;
    const letter = this.pages.letter(t, {
      subject: t.text('mail.confirm.subject', { server }),
      paragraphs: [t.text(text, { server }), t.text('mail.confirm.stranger')],
      action: { label: t.text('mail.confirm.action'), url: `${url}/api/account/confirm_email/${accountId}/${token}` },
    });
    const outcome = await this.mailer.deliver({ to: email, ...letter });
    if (outcome.kind === 'retry') await this.confirmations.uncount(hash);
    return outcome;
  }

  /**
   * Sends a letter to the address that an account wants to change to. Links to other addresses than the present one end. The
   * present one in another case is used at once: it needs no other confirmation.
   * @throws UserRefused for an address that is invalid
   */
  async request(accountId: string, email: string): Promise<void> {
    requireEmail(email);
    await this.uow.run(async () => {
      if (isSame((await this.users.facts(accountId)).email, email)) return this.change(accountId, email);
      await this.forget(accountId);
      this.jobs.enqueue(ConfirmNewAddress, { accountId, email }, { key: newAddressKey(accountId) });
    });
  }

  /** Ends the links that would give an account another address, also that of a letter which waits or is being made. */
  async forget(accountId: string): Promise<void> {
    await this.uow.run(async () => {
      await this.locks.lock('confirmations', accountId);
      this.jobs.cancel(newAddressKey(accountId));
      await this.confirmations.endOthersOf(accountId, (await this.users.facts(accountId)).email);
    });
  }

  /**
   * Changes the address, null removes it, and notifies the owner at the earlier one: a stranger with the password could
   * redirect all other letters. Links in earlier letters end: the reader of the earlier address need not be the owner.
   * @throws UserRefused for an address that is invalid or another user's
   */
  async change(accountId: string, email: string | null): Promise<void> {
    await this.uow.run(async () => {
      await this.users.lockAlone(accountId); // another change at the same time has another earlier address
      const { email: to } = await this.users.facts(accountId);
      await this.users.setEmail(accountId, email);
      await this.forget(accountId);
      if (isSame(to, email)) return;
      await this.resets.endAllOf(accountId);
      if (to !== null && this.mailer.isOn) this.jobs.enqueue(NotifyOfAddress, { accountId, to });
    });
  }

  /** Tells the owner of an earlier address. */
  @Handles(NotifyOfAddress)
  async notify({ accountId, to }: { accountId: string; to: string }): Promise<Outcome> {
    const user = await this.users.facts(accountId).catch(ignoreNotFound);
    if (!user) return skip('The account is gone');
    const t = this.pages.translatorFor(user.locale);
    const { name: server } = this.pages.site;
    const letter = this.pages.letter(t, {
      subject: t.text('mail.address.subject', { server }),
      paragraphs: [t.text('mail.address.text', { server }), t.text('mail.address.advice')],
    });
    return this.mailer.deliver({ to, ...letter });
  }

  /** Sends the letter to the new address. */
  @Handles(ConfirmNewAddress)
  async sendToNew({ accountId, email }: { accountId: string; email: string }): Promise<Outcome> {
    const user = await this.users.facts(accountId).catch(ignoreNotFound);
    if (!user) return skip('The account is gone');
    const isNeeded = async () => !(await this.jobs.isCancelled());
    return this.mail({ accountId, email, locale: user.locale }, 'mail.confirm.changed', isNeeded);
  }

  /**
   * Confirms the address of a link, which becomes the account's own when a change was asked for. Opening the link again
   * changes nothing.
   * @throws Invalid for an invalid or expired link, and for an address that another user has got meanwhile
   */
  async confirm(accountId: string, token: string): Promise<void> {
    const email = await this.require(accountId, token);
    const isOwn = await this.users.confirm(accountId, email);
    if (!isOwn && !(await this.claimAddress(accountId, email, token))) throw new Invalid(NO_LINK);
  }

  /**
   * The address of a link; confirms nothing.
   * @throws Invalid for an invalid or expired link
   */
  async require(accountId: string, token: string): Promise<string> {
    const email = isFlakeId(accountId) ? await this.confirmations.email(hashToken(token), accountId) : undefined;
    if (email === undefined) throw new Invalid(NO_LINK);
    return email;
  }

  /** Removes expired links. */
  @Recurs({ job: 'oauth.purge-confirmations', everyMinutes: DAILY })
  async purge(): Promise<void> {
    await this.confirmations.purge();
  }
}

const isSame = (one: string | null, other: string | null) => one?.toLowerCase() === other?.toLowerCase();

const newAddressKey = (accountId: string) => `confirm-new-address:${accountId}`;

function refusedOnly(error: unknown): false {
  if (!(error instanceof UserRefused)) throw error;
  return false;
}
