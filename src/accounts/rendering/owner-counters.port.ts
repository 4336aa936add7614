import { Injectable } from '@nestjs/common';
import { Port } from '../../platform/index.js';

/** Counts an account's unread items. */
export interface UnreadCounts {
  unread(accountId: string): Promise<number>;
}

/**
 * Counters that only the owner of an account sees. Notifications and conversations stand to the right of accounts,
 * hence these ports; their modules fill them at their start.
 */
abstract class UnreadPort extends Port<UnreadCounts> implements UnreadCounts {
  unread(accountId: string): Promise<number> {
    return this.filler().unread(accountId);
  }
}

@Injectable()
export class UnreadNotifications extends UnreadPort {}

@Injectable()
export class UnreadConversations extends UnreadPort {}
