import { Injectable } from '@nestjs/common';
import { UsersService } from '../../accounts/index.js';
import { UnitOfWork } from '../../platform/index.js';
import { MfaChallenges } from '../mfa/mfa-challenges.js';
import { MfaRepository } from '../mfa/mfa.repository.js';
import { ConfirmationsService } from '../registration/confirmations.service.js';
import { TokensService } from '../../oauth/index.js';
import { PasswordResetsRepository } from '../reset-links/password-resets.repository.js';

/** Changes of passwords and their effect on sign-ins. */
@Injectable()
export class PasswordsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly users: UsersService,
    private readonly challenges: MfaChallenges,
    private readonly factors: MfaRepository,
    private readonly tokens: TokensService,
    private readonly confirmations: ConfirmationsService,
    private readonly resets: PasswordResetsRepository,
  ) {}

  /**
   * Changes a password, which also ends a required reset, all sign-ins but the one that is kept, the links for new passwords
   * and for other addresses, and a second factor that is prepared and not in use (threats O10, O25): a stranger may know its
   * secret.
   * @throws UserRefused for a password that is too short or too long, NotFound for no user
   */
  async reset(accountId: string, password: string, keptTokenId: string | null = null): Promise<void> {
    await this.uow.run(async () => {
      await this.users.setPassword(accountId, password);
      await this.resets.endAllOf(accountId);
      await this.confirmations.forget(accountId);
      await this.factors.removeUnused(accountId);
      await this.challenges.endAll(accountId); // before the tokens that an ending challenge may give
      await this.tokens.endOthers(accountId, keptTokenId);
    });
  }
}
