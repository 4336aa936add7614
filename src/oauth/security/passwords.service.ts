import { Injectable } from '@nestjs/common';
import { UsersService } from '../../accounts/index.js';
import { UnitOfWork } from '../../platform/index.js';
import { MfaChallenges } from '../mfa/mfa-challenges.js';
import { TokensService } from '../tokens/tokens.service.js';

/** Changes of passwords and their effect on sign-ins. */
@Injectable()
export class PasswordsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly users: UsersService,
    private readonly challenges: MfaChallenges,
    private readonly tokens: TokensService,
  ) {}

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
