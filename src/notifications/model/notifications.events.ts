import type { NotificationType } from './notification.types.js';

/** Somebody local is told of something. When `seen` is true the receiver does not want to be disturbed by it. */
export class NotificationCreated {
  static readonly type = 'notifications.created';

  constructor(
    readonly notificationId: string,
    readonly receiverId: string,
    readonly type: NotificationType,
    readonly seen: boolean,
  ) {}
}
