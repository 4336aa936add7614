import type { CreatedNotification } from '../model/notification.types.js';
import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/index.js';
import {
  tellOfEdit,
  tellOfFavourite,
  tellOfFollow,
  tellOfMove,
  tellOfPoll,
  tellOfPost,
  tellOfReaction,
  tellOfReblog,
  tellOfReport,
  turnFollow,
  withdraw,
  withdrawBlocked,
  withdrawFavourite,
  withdrawFollow,
  withdrawPoll,
  withdrawReaction,
  withdrawReblog,
} from './notification-dispatch.sql.js';

/** Makes notifications of what happened, and takes them back with it. Each method may be called again without effect. */
@Injectable()
export class TellingRepository {
  constructor(private readonly db: Database) {}

  tellOfPost(statusId: string): Promise<CreatedNotification[]> {
    return this.db.rows(tellOfPost, [statusId]);
  }

  tellOfEdit(statusId: string, mentionedIds: readonly string[], version: number): Promise<CreatedNotification[]> {
    return this.db.rows(tellOfEdit, [statusId, mentionedIds, version]);
  }

  tellOfMove(accountId: string, targetId: string): Promise<CreatedNotification[]> {
    return this.db.rows(tellOfMove, [accountId, targetId]);
  }

  tellOfPoll(statusId: string): Promise<CreatedNotification[]> {
    return this.db.rows(tellOfPoll, [statusId]);
  }

  tellOfReblog(statusId: string, accountId: string): Promise<CreatedNotification[]> {
    return this.db.rows(tellOfReblog, [statusId, accountId]);
  }

  tellOfFavourite(statusId: string, accountId: string): Promise<CreatedNotification[]> {
    return this.db.rows(tellOfFavourite, [statusId, accountId]);
  }

  tellOfReport(reportId: string): Promise<CreatedNotification[]> {
    return this.db.rows(tellOfReport, [reportId]);
  }

  /** Tells of a follow or a request, as it is now; the row of an earlier request becomes that of the follow. */
  async tellOfFollow(followerId: string, followeeId: string): Promise<CreatedNotification[]> {
    await this.db.run(turnFollow, [followerId, followeeId]);
    return this.db.rows(tellOfFollow, [followerId, followeeId]);
  }

  tellOfReaction(statusId: string, accountId: string, emoji: string): Promise<CreatedNotification[]> {
    return this.db.rows(tellOfReaction, [statusId, accountId, emoji]);
  }

  async withdrawReaction(statusId: string, accountId: string, emoji: string): Promise<void> {
    await this.db.run(withdrawReaction, [statusId, accountId, emoji]);
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
}
