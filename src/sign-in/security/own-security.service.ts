import { Injectable } from '@nestjs/common';
import { AccountsService, type LoginResult, UserRefused, UsersService } from '../../accounts/index.js';
import { DomainError, joined, phrase } from '../../common/index.js';
import { Settings } from '../../config/index.js';
import { TokensService } from '../../oauth/index.js';
import { Mailer, UnitOfWork } from '../../platform/index.js';
import { PasswordCheckService, WRONG_PASSWORD } from '../guessing/password-check.service.js';
import { ConfirmationsService } from '../registration/confirmations.service.js';
import { PasswordsService } from './passwords.service.js';

/** A change of the own account that is refused, which these routes answer with 200 (spec §7). */
export class ChangeRefused extends DomainError {
  readonly status = 200;
}

/** The password that a change asks for is wrong. */
export class WrongPassword extends ChangeRefused {
  constructor() {
    super(WRONG_PASSWORD);
  }
}

/** The owner of an account, who has to prove it with the password. */
export interface Owner {
  readonly accountId: string;
  readonly password: string;
  /** The `clientAddress` of the request, which wrong passwords count for. */
  readonly address: string;
}

/** Changes that owners make to their own accounts (spec §4.2). */
@Injectable()
export class OwnSecurityService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly settings: Settings,
    private readonly mailer: Mailer,
    private readonly accounts: AccountsService,
    private readonly users: UsersService,
    private readonly checks: PasswordCheckService,
    private readonly confirmations: ConfirmationsService,
    private readonly passwords: PasswordsService,
    private readonly tokens: TokensService,
  ) {}

  /**
   * Checks the owner's password.
   * @throws WrongPassword, TooManyRequests
   */
  async require({ accountId, password, address }: Owner): Promise<LoginResult> {
    const account = await this.accounts.byId(accountId);
    const found = account && (await this.checks.check(account.nickname, password, address));
    if (!found) throw new WrongPassword();
    return found;
  }

  /**
   * Changes the password, which ends all sign-ins but the one that asks for it (threat O10); null when a password asks.
   * @throws WrongPassword; ChangeRefused for a new one that is too short or too long; TooManyRequests
   */
  async changePassword(owner: Owner, newPassword: string, keptTokenId: string | null): Promise<void> {
    const { accountId } = owner;
    await this.change(owner, () => this.passwords.reset(accountId, newPassword, keptTokenId).catch(asChangeRefused));
  }

  /**
   * Changes the e-mail address; an empty one removes it. Where the server demands confirmed addresses, the new one
   * counts from its confirmation on.
   * @throws WrongPassword; ChangeRefused for an invalid address, and for none where one is needed; TooManyRequests
   */
  async changeEmail(owner: Owner, email: string): Promise<void> {
    const { accountId } = owner;
    const needsConfirmation = this.settings.get('instance.account_activation_required') && this.mailer.isOn;
    await this.change(owner, async () => {
      if (email === '' && this.settings.get('instance.account_activation_required')) {
        throw new ChangeRefused('Email is required.');
      }
      if (email !== '' && needsConfirmation) return this.confirmations.request(accountId, email).catch(asChangeRefused);
      return this.confirmations.change(accountId, email === '' ? null : email).catch(asChangeRefused);
    });
  }

  /**
   * Deactivates the account and ends all sign-ins for good: after an activation the owner signs in again.
   * @throws WrongPassword, TooManyRequests
   */
  async disable(owner: Owner): Promise<void> {
    await this.change(owner, async () => {
      await this.users.setActive(owner.accountId, false);
      await this.tokens.endAll(owner.accountId);
    });
  }

  /**
   * Makes a change in one unit of work with the check that the password of {@link require} is still the same. Nobody else
   * has the user locked meanwhile: an app may be getting a code (threat O10), and changes that share a lock would wait for
   * each other.
   * @throws WrongPassword
   */
  async commit(login: LoginResult, act: () => Promise<void>): Promise<void> {
    await this.uow.run(async () => {
      await this.users.lockAlone(login.accountId);
      if (!(await this.users.lockPassword(login))) throw new WrongPassword();
      await act();
    });
  }

  private async change(owner: Owner, act: () => Promise<void>): Promise<void> {
    await this.commit(await this.require(owner), act);
  }
}

/** Names the fields the way apps show them. */
function asChangeRefused(error: unknown): never {
  if (!(error instanceof UserRefused)) throw error;
  const { email, password } = error.fields;
  throw new ChangeRefused(
    email
      ? phrase('Email {problem}.', { problem: joined(email) })
      : phrase('New password {problem}.', { problem: joined(password ?? []) }),
  );
}
