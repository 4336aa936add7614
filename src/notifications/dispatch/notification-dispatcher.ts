import { Injectable } from '@nestjs/common';
import { Events, UnitOfWork } from '../../platform/index.js';
import { HiddenStatusesService } from '../../statuses/index.js';
import { NotificationCreated } from '../model/notifications.events.js';
import { PushQueueService } from '../push/push-queue.service.js';
import { NotificationDispatchRepository } from './notification-dispatch.repository.js';
import type { CreatedNotification } from '../model/notification.types.js';

/** Tells local people what concerns them, and takes it back when it is undone. Safe to run twice, and in any order. */
@Injectable()
export class NotificationDispatcher {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly events: Events,
    private readonly repository: NotificationDispatchRepository,
    private readonly pushes: PushQueueService,
    private readonly hidden: HiddenStatusesService,
  ) {}

  /** Tells those whom a post names, and those who want to know of each post of its author. */
  ofPost(statusId: string): Promise<void> {
    return this.dispatch(() => this.repository.notifyOfPost(statusId));
  }

  /**
   * Tells those whom an edited post names for the first time, and those who boosted or answered it before. Of several edits
   * these hear of the newest: its notification takes the place of the one before.
   */
  ofEdit(statusId: string, mentionedIds: readonly string[], version: number): Promise<void> {
    return this.dispatch(() => this.repository.notifyOfEdit(statusId, mentionedIds, version));
  }

  /** Tells the followers of an account where it moved. Whoever takes them along does this first: they are found by their follows. */
  ofMove(accountId: string, targetId: string): Promise<void> {
    return this.dispatch(() => this.repository.notifyOfMove(accountId, targetId));
  }

  /** Tells the author and the voters of the end of a post's poll. */
  ofPoll(statusId: string): Promise<void> {
    return this.dispatch(() => this.repository.notifyOfPoll(statusId));
  }

  /** Tells the author of a post who boosted it. */
  ofReblog(statusId: string, accountId: string): Promise<void> {
    return this.dispatch(() => this.repository.notifyOfReblog(statusId, accountId));
  }

  ofFavourite(statusId: string, accountId: string): Promise<void> {
    return this.dispatch(() => this.repository.notifyOfFavourite(statusId, accountId));
  }

  /** Tells of a follow or of a request to follow. */
  ofFollow(followerId: string, followeeId: string): Promise<void> {
    return this.dispatch(() => this.repository.notifyOfFollow(followerId, followeeId));
  }

  /** Tells the recipient of a chat message. */
  ofChatMessage(messageId: string): Promise<void> {
    return this.dispatch(() => this.repository.notifyOfChatMessage(messageId));
  }

  /** Tells those who look after the server that somebody reports somebody. */
  ofReport(reportId: string): Promise<void> {
    return this.dispatch(() => this.repository.notifyOfReport(reportId));
  }

  /** Tells the author of a post who put which emoji under it. */
  ofReaction(statusId: string, accountId: string, emoji: string): Promise<void> {
    return this.dispatch(() => this.repository.notifyOfReaction(statusId, accountId, emoji));
  }

  withdrawReaction(statusId: string, accountId: string, emoji: string): Promise<void> {
    return this.repository.withdrawReaction(statusId, accountId, emoji);
  }

  /** The end of a poll that goes on, or is no more, was none: the next one is told again. */
  withdrawPoll(statusId: string): Promise<void> {
    return this.repository.withdrawPoll(statusId);
  }

  withdrawReblog(statusId: string, accountId: string): Promise<void> {
    return this.repository.withdrawReblog(statusId, accountId);
  }

  withdrawFavourite(statusId: string, accountId: string): Promise<void> {
    return this.repository.withdrawFavourite(statusId, accountId);
  }

  withdrawFollow(followerId: string, followeeId: string): Promise<void> {
    return this.repository.withdrawFollow(followerId, followeeId);
  }

  /** What two accounts heard of each other goes when one blocks the other. */
  withdrawBlocked(accountId: string, targetId: string): Promise<void> {
    return this.repository.withdrawBlocked(accountId, targetId);
  }

  private dispatch(make: () => Promise<readonly CreatedNotification[]>): Promise<void> {
    return this.uow.run(async () => {
      const told = await this.unhidden(await make());
      for (const { id, receiver_id, type, seen } of told) {
        this.events.emit(new NotificationCreated(id, receiver_id, type, seen));
      }
      await this.pushes.add(told);
    });
  }

  /** Takes back what receivers' filters hide before anybody hears of it; answers the others. All are about one status. */
  private async unhidden(told: readonly CreatedNotification[]): Promise<readonly CreatedNotification[]> {
    const statusId = told[0]?.status_id ?? null;
    if (statusId === null) return told;
    const receivers = told.map(({ receiver_id }) => receiver_id);
    const hidden = await this.hidden.from(receivers, statusId, 'notifications');
    if (hidden.size === 0) return told;
    await this.repository.withdraw(told.filter(({ receiver_id }) => hidden.has(receiver_id)).map(({ id }) => id));
    return told.filter(({ receiver_id }) => !hidden.has(receiver_id));
  }
}
