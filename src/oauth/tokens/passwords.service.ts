import { Injectable } from '@nestjs/common';
import { UsersService } from '../../accounts/index.js';
import { UnitOfWork } from '../../platform/index.js';
import { TokensService } from './tokens.service.js';

/** Passwords, and what their change means for those who signed in with them. */
@Injectable()
export class PasswordsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly users: UsersService,
    private readonly tokens: TokensService,
  ) {}

  /**
   * Gives a user another password, which also ends a required reset, and ends all sign-ins: whoever knew the old one is
   * out (threat O10).
   * @throws UserRefused for a password that is too short or too long, NotFound for no user
   */
  async reset(accountId: string, password: string): Promise<void> {
    await this.uow.run(async () => {
      await this.users.setPassword(accountId, password);
      await this.tokens.endAll(accountId);
    });
  }
}
