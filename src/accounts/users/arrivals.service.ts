import { Injectable } from '@nestjs/common';
import { Events } from '../../platform/index.js';
import { UserApproved, UserArrived, UserConfirmed } from '../model/accounts.events.js';
import { type AdmissionStep, type Arrival, UserAdmissionRepository } from './user-admission.repository.js';

const EVENTS = { approved: UserApproved, confirmed: UserConfirmed };

/**
 * Emits the events of the admission of users, once each, and `UserArrived` after the last. What they begin has no effect for a
 * deactivated account, so they wait for its activation.
 */
@Injectable()
export class ArrivalsService {
  constructor(
    private readonly events: Events,
    private readonly admissions: UserAdmissionRepository,
  ) {}

  /** Inside a unit of work that made the user, or took a step of its admission, and locks the account. */
  async begin(accountId: string, step: AdmissionStep | null): Promise<void> {
    this.emit(accountId, await this.admissions.arrive(accountId, step));
  }

  /** Inside the unit of work that activates the account. */
  async resume(accountId: string): Promise<void> {
    this.emit(accountId, await this.admissions.arriveLate(accountId));
  }

  private emit(accountId: string, arrival: Arrival | undefined): void {
    if (arrival?.step) this.events.emit(new EVENTS[arrival.step](accountId));
    if (arrival?.arrives) this.events.emit(new UserArrived(accountId));
  }
}
