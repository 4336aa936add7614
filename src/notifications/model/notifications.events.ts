import type { NotificationType } from './notification.types.js';

/** A notification was created. When `seen` is true, it must not disturb the receiver. */
export class NotificationCreated {
  static readonly type = 'notifications.created';

  constructor(
    readonly notificationId: string,
    readonly receiverId: string,
    readonly type: NotificationType,
    readonly seen: boolean,
  ) {}
}
