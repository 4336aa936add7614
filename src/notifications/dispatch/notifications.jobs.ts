import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  AccountDeleted,
  AccountMoved,
  FollowsService,
  Blocked,
  Followed,
  FollowRequested,
  Unfollowed,
  UnreadNotifications,
} from '../../accounts/index.js';
import { ChatMessageSent } from '../../chats/index.js';
import { OwnedRows, Recurs, Subscribes } from '../../platform/index.js';
import {
  Favourited,
  PollClosed,
  Reacted,
  StatusCreated,
  StatusDeleted,
  StatusEdited,
  Unfavourited,
  Unreacted,
} from '../../statuses/index.js';
import { NotificationsService } from '../reading/notifications.service.js';
import { RetentionService } from './retention.service.js';
import { NotificationDispatcher } from './notification-dispatcher.js';

const DAILY = 24 * 60;

const mayNotify = ({ isReblog, hasMentions, isQuote, inReplyToId, hasSubscribers }: StatusCreated) =>
  !isReblog && (hasMentions || isQuote || (hasSubscribers && inReplyToId === null));

/** Notifies after events of earlier modules. Each subscription is its own job, retried alone and safe to run twice. */
@Injectable()
export class NotificationsJobs implements OnModuleInit {
  constructor(
    private readonly dispatcher: NotificationDispatcher,
    private readonly follows: FollowsService,
    private readonly notifications: NotificationsService,
    private readonly retention: RetentionService,
    private readonly unreadCount: UnreadNotifications,
    private readonly rows: OwnedRows,
  ) {}

  onModuleInit(): void {
    this.unreadCount.use(this.notifications);
  }

  @Subscribes(StatusCreated, { job: 'notifications.post', queue: 'notify', when: mayNotify })
  async onStatus({ statusId }: StatusCreated): Promise<void> {
    await this.dispatcher.ofPost(statusId);
  }

  @Subscribes(StatusCreated, { job: 'notifications.reblog', queue: 'notify', when: ({ isReblog }) => isReblog })
  async onReblog({ reblogOfId, authorId }: StatusCreated): Promise<void> {
    if (reblogOfId !== null) await this.dispatcher.ofReblog(reblogOfId, authorId);
  }

  // Only for boosts: notifications about a deleted post are deleted with its row.
  @Subscribes(StatusDeleted, {
    job: 'notifications.unreblog',
    queue: 'notify',
    when: ({ reblogOfId }) => reblogOfId !== null,
  })
  async onUnreblog({ reblogOfId, authorId }: StatusDeleted): Promise<void> {
    if (reblogOfId !== null) await this.dispatcher.withdrawReblog(reblogOfId, authorId);
  }

  @Subscribes(StatusEdited, {
    job: 'notifications.edit',
    queue: 'notify',
    when: ({ isRevision, mentionedIds }) => isRevision || mentionedIds.length > 0,
  })
  async onEdited(edit: StatusEdited): Promise<void> {
    await this.dispatcher.ofEdit(edit);
  }

  @Subscribes(StatusEdited, {
    job: 'notifications.poll-changed',
    queue: 'notify',
    when: ({ pollChanged }) => pollChanged,
  })
  async onPollChanged({ statusId }: StatusEdited): Promise<void> {
    await this.dispatcher.withdrawPoll(statusId);
  }

  /** Notifies the followers before they are moved: afterwards they can no longer be found. */
  @Subscribes(AccountMoved, { job: 'notifications.move', queue: 'notify' })
  async onMoved({ accountId, targetId }: AccountMoved): Promise<void> {
    await this.dispatcher.ofMove(accountId, targetId);
    await this.follows.moveFollowers(accountId, targetId);
  }

  @Subscribes(PollClosed, { job: 'notifications.poll', queue: 'notify' })
  async onPollClosed({ statusId }: PollClosed): Promise<void> {
    await this.dispatcher.ofPoll(statusId);
  }

  @Subscribes(Favourited, { job: 'notifications.favourite', queue: 'notify' })
  async onFavourited({ statusId, accountId }: Favourited): Promise<void> {
    await this.dispatcher.ofFavourite(statusId, accountId);
  }

  @Subscribes(Unfavourited, { job: 'notifications.unfavourite', queue: 'notify' })
  async onUnfavourited({ statusId, accountId }: Unfavourited): Promise<void> {
    await this.dispatcher.withdrawFavourite(statusId, accountId);
  }

  @Subscribes(Reacted, { job: 'notifications.reaction', queue: 'notify' })
  async onReacted({ statusId, accountId, emoji }: Reacted): Promise<void> {
    await this.dispatcher.ofReaction(statusId, accountId, emoji);
  }

  @Subscribes(Unreacted, { job: 'notifications.unreaction', queue: 'notify' })
  async onUnreacted({ statusId, accountId, emoji }: Unreacted): Promise<void> {
    await this.dispatcher.withdrawReaction(statusId, accountId, emoji);
  }

  @Subscribes(ChatMessageSent, {
    job: 'notifications.chat-message',
    queue: 'notify',
    when: ({ localRecipient }) => localRecipient,
  })
  async onChatMessage({ messageId }: ChatMessageSent): Promise<void> {
    await this.dispatcher.ofChatMessage(messageId);
  }

  @Subscribes(FollowRequested, { job: 'notifications.follow-request', queue: 'notify' })
  async onFollowRequested({ followerId, followeeId }: FollowRequested): Promise<void> {
    await this.dispatcher.ofFollow(followerId, followeeId);
  }

  @Subscribes(Followed, {
    job: 'notifications.follow',
    queue: 'notify',
    when: ({ localFollowee, accepted }) => localFollowee && accepted,
  })
  async onFollowed({ followerId, followeeId }: Followed): Promise<void> {
    await this.dispatcher.ofFollow(followerId, followeeId);
  }

  @Subscribes(Unfollowed, { job: 'notifications.unfollow', queue: 'notify' })
  async onUnfollowed({ followerId, followeeId }: Unfollowed): Promise<void> {
    await this.dispatcher.withdrawFollow(followerId, followeeId);
  }

  @Subscribes(Blocked, { job: 'notifications.block', queue: 'notify' })
  async onBlocked({ accountId, targetId }: Blocked): Promise<void> {
    await this.dispatcher.withdrawBlocked(accountId, targetId);
  }

  @Recurs({ job: 'notifications.trim', everyMinutes: DAILY })
  async trim(): Promise<void> {
    await this.retention.trim();
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
