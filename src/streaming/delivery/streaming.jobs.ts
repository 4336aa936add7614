import { Injectable } from '@nestjs/common';
import { AccountDeleted, Followed, OwnedRowsRepository, Unfollowed } from '../../accounts/index.js';
import { ChatMessageSent } from '../../chats/index.js';
import {
  AnnouncementDeleted,
  AnnouncementEnded,
  AnnouncementPublished,
  AnnouncementReacted,
} from '../../instance/index.js';
import { NotificationCreated } from '../../notifications/index.js';
import { Bus, ListensAfterCommit, Subscribes } from '../../platform/index.js';
import {
  ConversationChanged,
  PreviewCardChanged,
  QuoteChanged,
  StatusCreated,
  StatusDeleted,
  StatusEdited,
  StatusNarrowed,
} from '../../statuses/index.js';
import { FiltersChanged } from '../../timelines/index.js';
import { STREAM_CHANNEL, type StreamMessage } from './stream.messages.js';

/** Publishes the events of this process on the bus. Unlike jobs, messages may be lost in a crash. */
@Injectable()
export class StreamingJobs {
  constructor(
    private readonly bus: Bus,
    private readonly rows: OwnedRowsRepository,
  ) {}

  @ListensAfterCommit(StatusCreated)
  onCreated({ statusId, authorId, visibility, isReblog, isNews }: StatusCreated): void {
    if (isNews) this.publish({ kind: 'created', statusId, authorId, visibility, isBoost: isReblog, isEdit: false });
  }

  @ListensAfterCommit(StatusEdited)
  onEdited({ statusId, authorId, visibility, former }: StatusEdited): void {
    this.publish({ kind: 'created', statusId, authorId, visibility, isBoost: false, isEdit: true, former });
  }

  @ListensAfterCommit(PreviewCardChanged)
  onCard({ statusId, authorId, visibility }: PreviewCardChanged): void {
    this.publish({ kind: 'created', statusId, authorId, visibility, isBoost: false, isEdit: true });
  }

  @ListensAfterCommit(QuoteChanged)
  onQuote({ statusId, authorId, visibility }: QuoteChanged): void {
    this.publish({ kind: 'created', statusId, authorId, visibility, isBoost: false, isEdit: true });
  }

  @ListensAfterCommit(StatusDeleted)
  onDeleted({ reblogOfId, ...facts }: StatusDeleted): void {
    const { statusId, authorId, visibility, local, tagIds, addressedIds, boosterIds } = facts;
    const isBoost = reblogOfId !== null;
    const audience = { tagIds, addressedIds, boosterIds };
    this.publish({ kind: 'deleted', statusId, authorId, visibility, local, isBoost, isNarrowed: false, ...audience });
  }

  /** Sends a deletion to viewers who may no longer see the post. */
  @ListensAfterCommit(StatusNarrowed)
  onNarrowed({ statusId, authorId, visibility, local, tagIds, addressedIds, boosterIds }: StatusNarrowed): void {
    const facts = { statusId, authorId, visibility, local, tagIds, addressedIds, boosterIds };
    this.publish({ kind: 'deleted', isBoost: false, isNarrowed: true, ...facts });
  }

  @ListensAfterCommit(ConversationChanged)
  onConversation({ conversationId, ownerId }: ConversationChanged): void {
    this.publish({ kind: 'conversation', conversationId, ownerId });
  }

  /** A notification that is made as seen must not disturb its receiver. */
  @ListensAfterCommit(NotificationCreated)
  onNotified({ notificationId, receiverId, type, seen }: NotificationCreated): void {
    if (!seen) this.publish({ kind: 'notified', notificationId, receiverId, type });
  }

  @ListensAfterCommit(ChatMessageSent)
  onChatMessage({ messageId, senderId, recipientId, localSender, localRecipient }: ChatMessageSent): void {
    const ownerIds = [...(localSender ? [senderId] : []), ...(localRecipient ? [recipientId] : [])];
    this.publish({ kind: 'chat', messageId, ownerIds });
  }

  @ListensAfterCommit(Followed)
  onFollowed({ followerId, followeeId, accepted }: Followed): void {
    this.publish({ kind: 'follow', followerId, followeeId, state: accepted ? 'follow_accept' : 'follow_pending' });
  }

  /** The specification defines no separate state for an ended follow. */
  @ListensAfterCommit(Unfollowed)
  onUnfollowed({ followerId, followeeId }: Unfollowed): void {
    this.publish({ kind: 'follow', followerId, followeeId, state: 'follow_reject' });
  }

  @ListensAfterCommit(FiltersChanged)
  onFilters({ accountId }: FiltersChanged): void {
    this.publish({ kind: 'filters', accountId });
  }

  /** A job emits this event when the announcement begins. */
  @ListensAfterCommit(AnnouncementPublished)
  onAnnounced({ announcementId }: AnnouncementPublished): void {
    this.publish({ kind: 'announced', announcementId });
  }

  /**
   * A job emits the event of an end. A deletion runs as a job, since an operator's command deletes announcements in a
   * process that is not on the bus.
   */
  @ListensAfterCommit(AnnouncementEnded)
  @Subscribes(AnnouncementDeleted, { job: 'streaming.announcement-gone', queue: 'stream' })
  onAnnouncementGone({ announcementId }: AnnouncementEnded | AnnouncementDeleted): void {
    this.publish({ kind: 'announcement-gone', announcementId });
  }

  @ListensAfterCommit(AnnouncementReacted)
  onAnnouncementReacted({ announcementId, name }: AnnouncementReacted): void {
    this.publish({ kind: 'announcement-reaction', announcementId, name });
  }

  @Subscribes(AccountDeleted, { job: 'streaming.erase', queue: 'maintenance' })
  async onAccountDeleted({ accountId }: AccountDeleted): Promise<void> {
    await this.rows.removeAll(accountId, ['shouts.account_id']);
  }

  private publish(message: StreamMessage): void {
    this.bus.publish(STREAM_CHANNEL, message);
  }
}
