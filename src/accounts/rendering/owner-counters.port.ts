import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';

/** Counts what an account has not read yet. */
export interface UnreadCounts {
  unread(accountId: string): Promise<number>;
}

/**
 * Numbers that only the owner of an account is shown and that others know: notifications and conversations stand to the
 * right of accounts, hence this port. Their modules fill it when they start.
 */
@Injectable()
export class OwnerCounters implements OnApplicationBootstrap {
  private notifications: UnreadCounts | undefined;
  private conversations: UnreadCounts | undefined;

  use(notifications: UnreadCounts): void {
    this.notifications = notifications;
  }

  useConversations(conversations: UnreadCounts): void {
    this.conversations = conversations;
  }

  onApplicationBootstrap(): void {
    filled(this.notifications);
    filled(this.conversations);
  }

  unreadNotifications(accountId: string): Promise<number> {
    return filled(this.notifications).unread(accountId);
  }

  unreadConversations(accountId: string): Promise<number> {
    return filled(this.conversations).unread(accountId);
  }
}

function filled(counts: UnreadCounts | undefined): UnreadCounts {
  if (!counts) throw new Error('Nobody fills the port OwnerCounters');
  return counts;
}
