import { Injectable } from '@nestjs/common';
import { Blocked, Followed, FollowRequested, Unfollowed } from '../../accounts/index.js';
import { ChatMessageSent } from '../../chats/index.js';
import { Events, Subscribes, UnitOfWork } from '../../platform/index.js';
import {
  Favourited,
  HiddenStatusesService,
  PollClosed,
  PollsService,
  PollReopened,
  QuoteChanged,
  Reacted,
  StatusCreated,
  StatusDeleted,
  StatusEdited,
  Unfavourited,
  Unreacted,
} from '../../statuses/index.js';
import { NotificationCreated } from '../model/notifications.events.js';
import { PushQueueService } from '../push/push-queue.service.js';
import { type CreatedRange, NotificationDispatchRepository } from './notification-dispatch.repository.js';
import type { CreatedNotification } from '../model/notification.types.js';

const mayNotify = ({ isNews, isReblog, hasMentions, isQuote, inReplyToId, hasSubscribers }: StatusCreated) =>
  isNews && !isReblog && (hasMentions || isQuote || (hasSubscribers && inReplyToId === null));

/**
 * Notifies local accounts after events of earlier modules, and removes notifications whose cause is undone. Each
 * subscription is its own job, retried alone and safe to run twice, and in any order.
 */
@Injectable()
export class NotificationDispatcher {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly events: Events,
    private readonly repository: NotificationDispatchRepository,
    private readonly pushes: PushQueueService,
    private readonly hidden: HiddenStatusesService,
    private readonly polls: PollsService,
  ) {}

  /** Notifies the mentioned accounts, the quoted author and the author's subscribers of a post. */
  @Subscribes(StatusCreated, { job: 'notifications.post', queue: 'notify', when: mayNotify })
  ofPost({ statusId }: Pick<StatusCreated, 'statusId'>): Promise<void> {
    return this.dispatchRanges((after) => this.repository.notifyOfStatus(statusId, after));
  }

  /**
   * Notifies the accounts that an edit mentions for the first time, and those that boosted, replied to or quote the post.
   * Each of the latter has one notification (quoters: one for each quote): the newest edit replaces it.
   */
  @Subscribes(StatusEdited, {
    job: 'notifications.edit',
    queue: 'notify',
    when: ({ isRevision, mentionedIds }) => isRevision || mentionedIds.length > 0,
  })
  ofEdit(edit: StatusEdited): Promise<void> {
    return this.dispatchRanges((after) => this.repository.notifyOfEdit(edit, after), edit.statusId);
  }

  /** Notifies the author of another quote that a post shows, and removes the notification of the former one. */
  @Subscribes(QuoteChanged, {
    job: 'notifications.quote-changed',
    queue: 'notify',
    when: ({ quotesAnother }) => quotesAnother,
  })
  ofQuote({ statusId }: QuoteChanged): Promise<void> {
    return this.dispatch(() => this.repository.notifyOfQuote(statusId));
  }

  /**
   * Notifies an account's followers of its move. Call it before the followers are moved: it finds them by their
   * follows.
   */
  ofMove(accountId: string, targetId: string): Promise<void> {
    return this.dispatchRanges((after) => this.repository.notifyOfMove(accountId, targetId, after));
  }

  /** Notifies the author and the voters of the end of a post's poll; of that of a deactivated author once it is activated. */
  @Subscribes(PollClosed, { job: 'notifications.poll', queue: 'notify' })
  async ofPoll({ statusId }: Pick<PollClosed, 'statusId'>): Promise<void> {
    await this.dispatchRanges((after) => this.repository.notifyOfPoll(statusId, after));
    await this.polls.postponeEnd(statusId);
  }

  /** Notifies the author of a post of a boost. */
  @Subscribes(StatusCreated, {
    job: 'notifications.reblog',
    queue: 'notify',
    when: ({ isNews, isReblog }) => isNews && isReblog,
  })
  async ofReblog({ reblogOfId, authorId }: StatusCreated): Promise<void> {
    if (reblogOfId !== null) await this.dispatch(() => this.repository.notifyOfReblog(reblogOfId, authorId));
  }

  @Subscribes(Favourited, { job: 'notifications.favourite', queue: 'notify' })
  ofFavourite({ statusId, accountId }: Favourited): Promise<void> {
    return this.dispatch(() => this.repository.notifyOfFavourite(statusId, accountId));
  }

  /** Notifies the followee of a follow or a follow request. */
  @Subscribes(FollowRequested, { job: 'notifications.follow-request', queue: 'notify' })
  @Subscribes(Followed, {
    job: 'notifications.follow',
    queue: 'notify',
    when: ({ localFollowee, accepted }) => localFollowee && accepted,
  })
  ofFollow({ followerId, followeeId }: FollowRequested | Followed): Promise<void> {
    return this.dispatch(() => this.repository.notifyOfFollow(followerId, followeeId));
  }

  /** Notifies the recipient of a chat message. */
  @Subscribes(ChatMessageSent, {
    job: 'notifications.chat-message',
    queue: 'notify',
    when: ({ localRecipient }) => localRecipient,
  })
  ofChatMessage({ messageId }: ChatMessageSent): Promise<void> {
    return this.dispatch(() => this.repository.notifyOfChatMessage(messageId));
  }

  /** Notifies administrators of a report, and moderators if they may read it. */
  ofReport(reportId: string, withModerators: boolean): Promise<void> {
    return this.dispatch(() => this.repository.notifyOfReport(reportId, withModerators));
  }

  /** Notifies the author of a post of a reaction. */
  @Subscribes(Reacted, { job: 'notifications.reaction', queue: 'notify' })
  ofReaction({ statusId, accountId, emoji }: Reacted): Promise<void> {
    return this.dispatch(() => this.repository.notifyOfReaction(statusId, accountId, emoji));
  }

  @Subscribes(Unreacted, { job: 'notifications.unreaction', queue: 'notify' })
  withdrawReaction({ statusId, accountId, emoji }: Unreacted): Promise<void> {
    return this.repository.withdrawReaction(statusId, accountId, emoji);
  }

  /** Removes notifications of a poll's end after the poll was reopened, replaced or removed. */
  @Subscribes(PollReopened, { job: 'notifications.poll-reopened', queue: 'notify' })
  @Subscribes(StatusEdited, {
    job: 'notifications.poll-changed',
    queue: 'notify',
    when: ({ pollChanged }) => pollChanged,
  })
  withdrawPoll({ statusId }: StatusEdited | PollReopened): Promise<void> {
    return this.repository.withdrawPoll(statusId);
  }

  /** Only for boosts: notifications about a deleted post are deleted with its row. */
  @Subscribes(StatusDeleted, {
    job: 'notifications.unreblog',
    queue: 'notify',
    when: ({ reblogOfId }) => reblogOfId !== null,
  })
  async withdrawReblog({ reblogOfId, authorId }: StatusDeleted): Promise<void> {
    if (reblogOfId !== null) await this.repository.withdrawReblog(reblogOfId, authorId);
  }

  @Subscribes(Unfavourited, { job: 'notifications.unfavourite', queue: 'notify' })
  withdrawFavourite({ statusId, accountId }: Unfavourited): Promise<void> {
    return this.repository.withdrawFavourite(statusId, accountId);
  }

  @Subscribes(Unfollowed, { job: 'notifications.unfollow', queue: 'notify' })
  withdrawFollow({ followerId, followeeId }: Unfollowed): Promise<void> {
    return this.repository.withdrawFollow(followerId, followeeId);
  }

  /** Removes the notifications of two accounts about each other after a block. */
  @Subscribes(Blocked, { job: 'notifications.block', queue: 'notify' })
  withdrawBlocked({ accountId, targetId }: Blocked): Promise<void> {
    return this.repository.withdrawBlocked(accountId, targetId);
  }

  private dispatch(make: () => Promise<readonly CreatedNotification[]>): Promise<void> {
    return this.dispatchRanges(async () => ({ created: await make(), last: undefined }));
  }

  /**
   * Notifies one range of receivers after the other, each in a unit of work of its own: a cause may have many. `aboutId` is
   * the post that they are about, where they show others.
   */
  private async dispatchRanges(make: (after: string) => Promise<CreatedRange>, aboutId?: string): Promise<void> {
    for (let after: string | undefined = ''; after !== undefined;) {
      const from: string = after;
      after = await this.uow.run(async () => {
        const { created, last } = await make(from);
        await this.announce(await this.listed(await this.unhidden(created, aboutId)));
        return last;
      });
    }
  }

  private async announce(created: readonly CreatedNotification[]): Promise<void> {
    for (const { id, receiverId, type, seen } of created) {
      this.events.emit(new NotificationCreated(id, receiverId, type, seen));
    }
    await this.pushes.add(created);
  }

  /** Puts notifications that the receivers' policies filter into requests. Returns the rest. */
  private async listed(created: readonly CreatedNotification[]): Promise<readonly CreatedNotification[]> {
    const filtered = created.filter((each) => each.filtered).map(({ id }) => id);
    if (filtered.length === 0) return created;
    const accepted = new Set(await this.repository.request(filtered));
    return created.filter((each) => !each.filtered || accepted.has(each.id));
  }

  /**
   * Removes notifications that the receivers' filters hide, before they are sent. Returns the rest. All are about one
   * status.
   */
  private async unhidden(
    created: readonly CreatedNotification[],
    aboutId: string | undefined,
  ): Promise<readonly CreatedNotification[]> {
    const statusId = aboutId ?? created[0]?.statusId ?? null;
    if (statusId === null || created.length === 0) return created;
    const receivers = created.map(({ receiverId }) => receiverId);
    const hidden = await this.hidden.from(receivers, statusId, 'notifications');
    if (hidden.size === 0) return created;
    await this.repository.withdraw(created.filter(({ receiverId }) => hidden.has(receiverId)).map(({ id }) => id));
    return created.filter(({ receiverId }) => !hidden.has(receiverId));
  }
}
