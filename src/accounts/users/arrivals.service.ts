import { Injectable } from '@nestjs/common';
import { Events } from '../../platform/index.js';
import { UserArrived } from '../model/accounts.events.js';
import { UserAdmissionRepository } from './user-admission.repository.js';

/**
 * Emits `UserArrived` once for each user. What it begins has no effect for a deactivated account, so the arrival of one waits
 * for its activation.
 */
@Injectable()
export class ArrivalsService {
  constructor(
    private readonly events: Events,
    private readonly admissions: UserAdmissionRepository,
  ) {}

  /** Inside a unit of work that made the user, or confirmed or approved it, and locks the account. */
  async begin(accountId: string): Promise<void> {
    if (await this.admissions.arrive(accountId)) this.events.emit(new UserArrived(accountId));
  }

  /** Inside the unit of work that activates the account. */
  async resume(accountId: string): Promise<void> {
    if (await this.admissions.arriveLate(accountId)) this.events.emit(new UserArrived(accountId));
  }
}
