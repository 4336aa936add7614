import { Injectable } from '@nestjs/common';
import { Port } from '../../platform/index.js';

/** Counts an account's unread items. */
export interface UnreadCounts<Count = number> {
  unread(accountId: string): Promise<Count>;
}

/** Unread notifications, and chats with unread messages: counted by one statement. */
export interface UnreadNews {
  readonly notifications: number;
  readonly chats: number;
}

/**
 * Counters that only the owner of an account sees. Notifications and conversations stand to the right of accounts,
 * hence these ports; their modules fill them at their start.
 */
abstract class UnreadPort<Count> extends Port<UnreadCounts<Count>> implements UnreadCounts<Count> {
  unread(accountId: string): Promise<Count> {
    return this.filler().unread(accountId);
  }
}

@Injectable()
export class UnreadNotifications extends UnreadPort<UnreadNews> {}

@Injectable()
export class UnreadConversations extends UnreadPort<number> {}
