import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  AccountDeleted,
  AccountMoved,
  FollowsService,
  OwnedRowsRepository,
  UnreadNotifications,
} from '../../accounts/index.js';
import { Subscribes } from '../../platform/index.js';
import { StatusEdited } from '../../statuses/index.js';
import { FiltersChanged } from '../../timelines/index.js';
import { NotificationsService } from '../reading/notifications.service.js';
import { NotificationDispatcher } from './notification-dispatcher.js';

/** Fills the port for unread notifications, and follows changes of filters, edits, and the moves and deletions of accounts. */
@Injectable()
export class NotificationsJobs implements OnModuleInit {
  constructor(
    private readonly dispatcher: NotificationDispatcher,
    private readonly follows: FollowsService,
    private readonly notifications: NotificationsService,
    private readonly unreadCount: UnreadNotifications,
    private readonly rows: OwnedRowsRepository,
  ) {}

  onModuleInit(): void {
    this.unreadCount.use(this.notifications);
  }

  /** Notifies the followers before they are moved: afterwards they can no longer be found. */
  @Subscribes(AccountMoved, { job: 'notifications.move', queue: 'notify' })
  async onMoved({ accountId, targetId }: AccountMoved): Promise<void> {
    await this.dispatcher.ofMove(accountId, targetId);
    await this.follows.moveFollowers(accountId, targetId);
  }

  @Subscribes(FiltersChanged, { job: 'notifications.read-hidden', queue: 'maintenance' })
  onFilters({ accountId }: FiltersChanged): Promise<void> {
    return this.notifications.readHidden(accountId);
  }

  @Subscribes(StatusEdited, {
    job: 'notifications.read-hidden-edit',
    queue: 'maintenance',
    when: ({ isRevision }) => isRevision,
  })
  onEdited({ statusId }: StatusEdited): Promise<void> {
    return this.notifications.readHiddenAbout(statusId);
  }

  @Subscribes(AccountDeleted, { job: 'notifications.erase', queue: 'maintenance' })
  async onDeleted({ accountId }: AccountDeleted): Promise<void> {
    await this.rows.removeAll(accountId, [
      'notifications.receiver_id',
      'notifications.from_id',
      'notifications.target_id',
      'notification_requests.receiver_id',
      'notification_requests.from_id',
      'markers.account_id',
      'push_subscriptions.account_id',
    ]);
  }
}
