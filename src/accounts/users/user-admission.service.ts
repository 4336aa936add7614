import { Injectable } from '@nestjs/common';
import { Events, UnitOfWork } from '../../platform/index.js';
import { AccountRepository } from '../model/account.repository.js';
import { AccountUpdated, UserRejected } from '../model/accounts.events.js';
import { ArrivalsService } from './arrivals.service.js';
import {
  type AdmissionStep,
  type ListedUser,
  UserAdmissionRepository,
  type UserFilter,
} from './user-admission.repository.js';

/** Decisions of the staff about new users. */
@Injectable()
export class UserAdmissionService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly events: Events,
    private readonly accounts: AccountRepository,
    private readonly admissions: UserAdmissionRepository,
    private readonly arrivals: ArrivalsService,
  ) {}

  /** The newest users that match a filter. */
  list(filter: UserFilter): Promise<ListedUser[]> {
    return this.admissions.list(filter);
  }

  /** Approves a waiting user; false when the user needs no approval any more. */
  approve(accountId: string): Promise<boolean> {
    return this.admit(accountId, 'approved', () => this.admissions.approve(accountId));
  }

  /** Confirms the e-mail address of a user without a letter; false when it was confirmed already. */
  confirm(accountId: string): Promise<boolean> {
    return this.admit(accountId, 'confirmed', () => this.admissions.confirm(accountId));
  }

  /**
   * Deletes the account of a user that waits for approval: it was never visible, so its nickname is free again. False
   * when the user was approved.
   */
  reject(accountId: string): Promise<boolean> {
    return this.uow.run(async () => {
      const user = await this.admissions.deletePending(accountId);
      if (user) this.events.emit(new UserRejected(user.nickname, user.email, user.locale));
      return user !== undefined;
    });
  }

  private admit(accountId: string, step: AdmissionStep, change: () => Promise<boolean>): Promise<boolean> {
    return this.uow.run(async () => {
      if (!(await change())) return false;
      await this.accounts.touchVersion(accountId);
      this.events.emit(new AccountUpdated(accountId, true, true));
      await this.arrivals.begin(accountId, step);
      return true;
    });
  }
}
