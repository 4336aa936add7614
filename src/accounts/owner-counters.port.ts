import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';

/** Counts what an account has not read yet. */
export interface UnreadCounts {
  unread(accountId: string): Promise<number>;
}

/**
 * Numbers that only the owner of an account is shown and that others know: notifications stand to the right of accounts,
 * hence this port. Their module fills it when it starts.
 */
@Injectable()
export class OwnerCounters implements OnApplicationBootstrap {
  private notifications: UnreadCounts | undefined;

  use(notifications: UnreadCounts): void {
    this.notifications = notifications;
  }

  onApplicationBootstrap(): void {
    this.filled();
  }

  unreadNotifications(accountId: string): Promise<number> {
    return this.filled().unread(accountId);
  }

  private filled(): UnreadCounts {
    if (!this.notifications) throw new Error('Nobody fills the port OwnerCounters');
    return this.notifications;
  }
}
