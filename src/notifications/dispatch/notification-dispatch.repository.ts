import type { CreatedNotification } from '../model/notification.types.js';
import { Injectable } from '@nestjs/common';
import type { StatusEdited } from '../../statuses/index.js';
import { Database, type Statement } from '../../platform/index.js';
import {
  notifyOfChatMessage,
  notifyOfEdit,
  notifyOfFavourite,
  notifyOfFollow,
  notifyOfMove,
  notifyOfPoll,
  notifyOfStatus,
  notifyOfQuote,
  notifyOfReaction,
  notifyOfReblog,
  notifyOfReport,
  type RangeRow,
  request,
  turnFollow,
  unfilterAccepted,
  withdraw,
  withdrawBlocked,
  withdrawFavourite,
  withdrawFollow,
  withdrawPoll,
  withdrawQuote,
  withdrawReaction,
  withdrawReblog,
} from './notification-dispatch.sql.js';

/** The notifications of a range of receivers. */
export interface CreatedRange {
  readonly created: readonly CreatedNotification[];
  /** The last receiver of the range, if more may follow. */
  readonly last: string | undefined;
}

/**
 * Creates notifications, and removes them when their cause is undone. All methods are idempotent. Where a cause may have many
 * receivers, a call notifies the next range of them, after an account.
 */
@Injectable()
export class NotificationDispatchRepository {
  constructor(private readonly db: Database) {}

  notifyOfStatus(statusId: string, after: string): Promise<CreatedRange> {
    return this.range(notifyOfStatus, [statusId, after]);
  }

  notifyOfEdit({ statusId, mentionedIds, version, isRevision }: StatusEdited, after: string): Promise<CreatedRange> {
    return this.range(notifyOfEdit, [statusId, mentionedIds, version, isRevision, after]);
  }

  notifyOfMove(accountId: string, targetId: string, after: string): Promise<CreatedRange> {
    return this.range(notifyOfMove, [accountId, targetId, after]);
  }

  notifyOfPoll(statusId: string, after: string): Promise<CreatedRange> {
    return this.range(notifyOfPoll, [statusId, after]);
  }

  /** Notifies of the quote that a post shows now, and removes the notification of another. */
  async notifyOfQuote(statusId: string): Promise<CreatedNotification[]> {
    await this.db.run(withdrawQuote, [statusId]);
    return this.db.rows(notifyOfQuote, [statusId]);
  }

  notifyOfReblog(statusId: string, accountId: string): Promise<CreatedNotification[]> {
    return this.db.rows(notifyOfReblog, [statusId, accountId]);
  }

  notifyOfFavourite(statusId: string, accountId: string): Promise<CreatedNotification[]> {
    return this.db.rows(notifyOfFavourite, [statusId, accountId]);
  }

  notifyOfChatMessage(messageId: string): Promise<CreatedNotification[]> {
    return this.db.rows(notifyOfChatMessage, [messageId]);
  }

  notifyOfReport(reportId: string, withModerators: boolean): Promise<CreatedNotification[]> {
    return this.db.rows(notifyOfReport, [reportId, withModerators]);
  }

  /**
   * Notifies of a follow or a follow request, by its current state. An accepted request becomes a follow notification.
   */
  async notifyOfFollow(followerId: string, followeeId: string): Promise<CreatedNotification[]> {
    await this.db.run(turnFollow, [followerId, followeeId]);
    return this.db.rows(notifyOfFollow, [followerId, followeeId]);
  }

  notifyOfReaction(statusId: string, accountId: string, emoji: string): Promise<CreatedNotification[]> {
    return this.db.rows(notifyOfReaction, [statusId, accountId, emoji]);
  }

  async withdrawReaction(statusId: string, accountId: string, emoji: string): Promise<void> {
    await this.db.run(withdrawReaction, [statusId, accountId, emoji]);
  }

  /**
   * Adds filtered notifications to the requests of their accounts. Returns the ids of those whose accounts were accepted
   * meanwhile: they are no longer filtered.
   */
  async request(ids: readonly string[]): Promise<string[]> {
    await this.db.run(request, [ids]);
    return (await this.db.rows(unfilterAccepted, [ids])).map(({ id }) => id);
  }

  async withdraw(ids: readonly string[]): Promise<void> {
    await this.db.run(withdraw, [ids]);
  }

  async withdrawPoll(statusId: string): Promise<void> {
    await this.db.run(withdrawPoll, [statusId]);
  }

  async withdrawReblog(statusId: string, accountId: string): Promise<void> {
    await this.db.run(withdrawReblog, [statusId, accountId]);
  }

  async withdrawFavourite(statusId: string, accountId: string): Promise<void> {
    await this.db.run(withdrawFavourite, [statusId, accountId]);
  }

  async withdrawFollow(followerId: string, followeeId: string): Promise<void> {
    await this.db.run(withdrawFollow, [followerId, followeeId]);
  }

  async withdrawBlocked(accountId: string, targetId: string): Promise<void> {
    await this.db.run(withdrawBlocked, [accountId, targetId]);
  }

  private async range(statement: Statement<RangeRow>, values: readonly unknown[]): Promise<CreatedRange> {
    const rows = await this.db.rows(statement, values);
    const created = rows.filter(({ id }) => id !== null) as unknown as CreatedNotification[];
    return { created, last: rows[0]?.last ?? undefined };
  }
}
