import { Injectable } from '@nestjs/common';
import { Port } from '../../platform/index.js';

/** Counts what an account has not read yet. */
export interface UnreadCounts {
  unread(accountId: string): Promise<number>;
}

/**
 * Numbers that only the owner of an account is shown and that others know: notifications and conversations stand to the
 * right of accounts, hence these ports. Their modules fill them when they start.
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
