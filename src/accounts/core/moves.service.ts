import { Injectable } from '@nestjs/common';
import { Events, UnitOfWork } from '../../platform/index.js';
import { AccountRepository } from '../model/account.repository.js';
import { AccountMoved, AccountUpdated } from '../model/accounts.events.js';

/** Accounts that moved to another account, local or remote (federation: Move). */
@Injectable()
export class MovesService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly events: Events,
    private readonly accounts: AccountRepository,
  ) {}

  /**
   * Stores that an account moved. False when it moved there before or anywhere in the last 7 days, and when the target
   * does not name it among its aliases: a claim alone moves no followers.
   */
  async move(accountId: string, targetId: string): Promise<boolean> {
    return this.uow.run(async () => {
      const moved = await this.accounts.move(accountId, targetId);
      if (!moved) return false;
      this.events.emit(new AccountMoved(accountId, targetId, moved.domain === null));
      if (moved.returnedLocal !== null) this.events.emit(new AccountUpdated(targetId, moved.returnedLocal));
      return true;
    });
  }

  /** Shows that a remote account moved, as its profile says and the target confirms. Nobody follows the target for it. */
  async show(accountId: string, targetId: string): Promise<void> {
    await this.uow.run(async () => {
      if (await this.accounts.showMove(accountId, targetId)) this.events.emit(new AccountUpdated(accountId, false));
    });
  }
}
