import { Injectable } from '@nestjs/common';
import { Followed, Unfollowed } from '../accounts/index.js';
import { AnnouncementDeleted, AnnouncementPublished, AnnouncementReacted } from '../instance/index.js';
import { NotificationCreated } from '../notifications/index.js';
import { Bus, ListensAfterCommit, Subscribes } from '../platform/index.js';
import { CardShown, StatusCreated, StatusDeleted, StatusEdited } from '../statuses/index.js';
import { FiltersChanged } from '../timelines/index.js';
import { STREAM_CHANNEL, type StreamMessage } from './stream.messages.js';

/** Tells all processes what happened in this one. It may be lost in a crash, unlike what jobs do. */
@Injectable()
export class StreamSubscriber {
  constructor(private readonly bus: Bus) {}

  @ListensAfterCommit(StatusCreated)
  onCreated({ statusId, authorId, visibility, isReblog }: StatusCreated): void {
    this.publish({ kind: 'created', statusId, authorId, visibility, isBoost: isReblog, isEdit: false });
  }

  @ListensAfterCommit(StatusEdited)
  onEdited({ statusId, authorId, visibility }: StatusEdited): void {
    this.publish({ kind: 'created', statusId, authorId, visibility, isBoost: false, isEdit: true });
  }

  @ListensAfterCommit(CardShown)
  onCard({ statusId, authorId, visibility }: CardShown): void {
    this.publish({ kind: 'created', statusId, authorId, visibility, isBoost: false, isEdit: true });
  }

  @ListensAfterCommit(StatusDeleted)
  onDeleted({ reblogOfId, ...facts }: StatusDeleted): void {
    const { statusId, authorId, visibility, local, tagIds, addressedIds, boosterIds } = facts;
    const isBoost = reblogOfId !== null;
    this.publish({ kind: 'deleted', statusId, authorId, visibility, local, isBoost, tagIds, addressedIds, boosterIds });
  }

  /** Made as seen: its receiver does not want to be disturbed by it. */
  @ListensAfterCommit(NotificationCreated)
  onNotified({ notificationId, receiverId, seen }: NotificationCreated): void {
    if (!seen) this.publish({ kind: 'notified', notificationId, receiverId });
  }

  @ListensAfterCommit(Followed)
  onFollowed({ followerId, followeeId, accepted }: Followed): void {
    this.publish({ kind: 'follow', followerId, followeeId, state: accepted ? 'follow_accept' : 'follow_pending' });
  }

  /** The specification has no state for a follow that its follower ended. */
  @ListensAfterCommit(Unfollowed)
  onUnfollowed({ followerId, followeeId }: Unfollowed): void {
    this.publish({ kind: 'follow', followerId, followeeId, state: 'follow_reject' });
  }

  @ListensAfterCommit(FiltersChanged)
  onFilters({ accountId }: FiltersChanged): void {
    this.publish({ kind: 'filters', accountId });
  }

  /** Comes from a job, when the announcement begins. */
  @ListensAfterCommit(AnnouncementPublished)
  onAnnounced({ announcementId }: AnnouncementPublished): void {
    this.publish({ kind: 'announced', announcementId });
  }

  /** As a job: an operator's command takes announcements back, and nobody hears its process. */
  @Subscribes(AnnouncementDeleted, { job: 'streaming.announcement-gone', queue: 'stream' })
  onAnnouncementDeleted({ announcementId }: AnnouncementDeleted): void {
    this.publish({ kind: 'announcement-gone', announcementId });
  }

  @ListensAfterCommit(AnnouncementReacted)
  onAnnouncementReacted({ announcementId, name }: AnnouncementReacted): void {
    this.publish({ kind: 'announcement-reaction', announcementId, name });
  }

  private publish(message: StreamMessage): void {
    this.bus.publish(STREAM_CHANNEL, message);
  }
}
