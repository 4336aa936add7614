import { Injectable } from '@nestjs/common';
import { AccountsService, UsersService } from '../../accounts/index.js';
import { UnitOfWork } from '../../platform/index.js';
import { PasswordCheckService } from '../guessing/password-check.service.js';
import { MfaChallenges } from '../mfa/mfa-challenges.js';
import { WrongPassword } from '../model/oauth.errors.js';
import { TokensService } from '../tokens/tokens.service.js';

export interface PasswordChange {
  readonly password: string;
  readonly newPassword: string;
  /** The `clientAddress` of the request. */
  readonly address: string;
  /** The sign-in that asks for the change. */
  readonly keptId: string;
}

/** Changes of passwords and their effect on sign-ins. */
@Injectable()
export class PasswordsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly accounts: AccountsService,
    private readonly users: UsersService,
    private readonly checks: PasswordCheckService,
    private readonly challenges: MfaChallenges,
    private readonly tokens: TokensService,
  ) {}

  /**
   * Changes the own password, which ends all other sign-ins (threat O10).
   * @throws WrongPassword; UserRefused for a new one that is too short or too long; TooManyRequests
   */
  async change(accountId: string, { password, newPassword, address, keptId }: PasswordChange): Promise<void> {
    const account = await this.accounts.byId(accountId);
    const found = account && (await this.checks.check(account.nickname, password, address));
    if (!found) throw new WrongPassword();
    await this.uow.run(async () => {
      if (!(await this.users.keepPassword(found))) throw new WrongPassword();
      await this.users.setPassword(accountId, newPassword);
      await this.tokens.endOthers(accountId, keptId);
      await this.challenges.endAll(accountId);
    });
  }

  /**
   * Changes a password, which also ends a required reset and all sign-ins (threat O10).
   * @throws UserRefused for a password that is too short or too long, NotFound for no user
   */
  async reset(accountId: string, password: string): Promise<void> {
    await this.uow.run(async () => {
      await this.users.setPassword(accountId, password);
      await this.challenges.endAll(accountId); // before the tokens that an ending challenge may give
      await this.tokens.endAll(accountId);
    });
  }
}
