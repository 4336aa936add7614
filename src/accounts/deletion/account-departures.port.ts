import { Injectable } from '@nestjs/common';
import { Port } from '../../platform/index.js';

/** Tells other servers that a local account is deleted. */
export interface DepartureNotifier {
  /** Inside the unit of work of the deletion, before the account's follows are removed. */
  sendDeparture(accountId: string): Promise<void>;
}

/**
 * Tells other servers of deleted accounts. Federation does it, which stands to the right of accounts; an event would come
 * too late, since other jobs of the same event remove the follows that say where to send it.
 */
@Injectable()
export class AccountDepartures extends Port<DepartureNotifier> implements DepartureNotifier {
  sendDeparture(accountId: string): Promise<void> {
    return this.filler().sendDeparture(accountId);
  }
}
