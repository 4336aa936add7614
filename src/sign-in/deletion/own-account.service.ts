import { Injectable } from '@nestjs/common';
import { AccountDeleted, AccountDeletionService, OwnedRowsRepository } from '../../accounts/index.js';
import { Subscribes } from '../../platform/index.js';
import { OwnSecurityService, WrongPassword } from '../security/own-security.service.js';
import { TokensService } from '../../oauth/index.js';

/** Lets users delete their own accounts. */
@Injectable()
export class OwnAccountService {
  constructor(
    private readonly security: OwnSecurityService,
    private readonly deletion: AccountDeletionService,
    private readonly tokens: TokensService,
    private readonly rows: OwnedRowsRepository,
  ) {}

  /**
   * Deletes the caller's own account for good.
   * @param address the `clientAddress` of the request
   * @throws WrongPassword, TooManyRequests after too many wrong passwords, Forbidden for the only administrator
   */
  async delete(accountId: string, password: string, address: string): Promise<void> {
    const { passwordHash } = await this.security.require({ accountId, password, address });
    if (!(await this.deletion.delete(accountId, passwordHash))) throw new WrongPassword();
  }

  /** Removes the sign-ins of a deleted account, which are invalid already, and their traces. Safe to run twice. */
  @Subscribes(AccountDeleted, { job: 'oauth.remove-sign-ins', queue: 'maintenance', when: ({ local }) => local })
  async removeSignIns({ accountId }: AccountDeleted): Promise<void> {
    await this.tokens.endAll(accountId);
    await this.rows.removeAll(accountId, [
      'email_confirmations.account_id',
      'known_networks.account_id',
      'mfa_challenges.account_id',
      'password_resets.account_id',
      'recovery_codes.account_id',
      'second_factors.account_id',
    ]);
  }
}
