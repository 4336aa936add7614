import { Injectable } from '@nestjs/common';
import { Events, UnitOfWork } from '../../platform/index.js';
import { AccountRepository } from '../model/account.repository.js';
import { AccountMoved } from '../model/accounts.events.js';

/** Accounts that go on under another name, here or on another server (federation: Move). */
@Injectable()
export class MovesService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly events: Events,
    private readonly accounts: AccountRepository,
  ) {}

  /**
   * Notes that an account moved. False when it has before, and when the other does not name it among its aliases: nobody
   * gets the followers of somebody else by saying so.
   */
  async move(accountId: string, targetId: string): Promise<boolean> {
    return this.uow.run(async () => {
      const moved = await this.accounts.move(accountId, targetId);
      if (moved) this.events.emit(new AccountMoved(accountId, targetId, moved.domain === null));
      return moved !== undefined;
    });
  }
}
