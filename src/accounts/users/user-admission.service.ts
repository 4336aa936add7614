import { Injectable } from '@nestjs/common';
import { Events, UnitOfWork } from '../../platform/index.js';
import { AccountRepository } from '../model/account.repository.js';
import { AccountUpdated } from '../model/accounts.events.js';
import { type ListedUser, UserAdmissionRepository, type UserFilter } from './user-admission.repository.js';

/** Decisions of those who run the server on who may use it. */
@Injectable()
export class UserAdmissionService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly events: Events,
    private readonly accounts: AccountRepository,
    private readonly users: UserAdmissionRepository,
  ) {}

  /** The newest users that fit a filter. */
  list(filter: UserFilter): Promise<ListedUser[]> {
    return this.users.list(filter);
  }

  /** Lets in a user who waits for approval; false when nobody has to approve the user any more. */
  approve(accountId: string): Promise<boolean> {
    return this.admit(accountId, () => this.users.approve(accountId));
  }

  /** Confirms the e-mail address of a user without a letter; false when it was confirmed already. */
  confirm(accountId: string): Promise<boolean> {
    return this.admit(accountId, () => this.users.confirm(accountId));
  }

  /**
   * Deletes the account of a user who waits for approval: nobody has seen it, and its nickname is free again. False when the
   * user was approved.
   */
  reject(accountId: string): Promise<boolean> {
    return this.users.deletePending(accountId);
  }

  private admit(accountId: string, change: () => Promise<boolean>): Promise<boolean> {
    return this.uow.run(async () => {
      if (!(await change())) return false;
      await this.accounts.touchVersion(accountId);
      this.events.emit(new AccountUpdated(accountId, true));
      return true;
    });
  }
}
