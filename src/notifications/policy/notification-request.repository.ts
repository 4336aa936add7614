import { Injectable } from '@nestjs/common';
import { Database, type Keyset, newestFirst } from '../../platform/index.js';
import {
  acceptRequests,
  oneRequest,
  removeFiltered,
  removeRequests,
  requestCounts,
  requestPage,
  type RequestRow,
  unfilter,
} from './notification-request.sql.js';

/** Reads, accepts and removes requests. */
@Injectable()
export class NotificationRequestRepository {
  constructor(private readonly db: Database) {}

  /** A page, newest first. */
  async page(receiverId: string, keyset: Keyset): Promise<RequestRow[]> {
    const { direction, below, above, limit } = keyset;
    return newestFirst(await this.db.rows(requestPage[direction], [receiverId, below, above, limit]), keyset);
  }

  one(receiverId: string, id: string): Promise<RequestRow | undefined> {
    return this.db.first(oneRequest, [receiverId, id]);
  }

  /** Counts requests, up to `limit`, and their notifications. */
  async counts(receiverId: string, limit: number): Promise<{ requests: number; notifications: number }> {
    return (await this.db.first(requestCounts, [receiverId, limit])) ?? { requests: 0, notifications: 0 };
  }

  /** Accepts the accounts and lists their notifications; returns the number of requests. */
  async accept(receiverId: string, ids: readonly string[]): Promise<number> {
    const accounts = await this.db.rows(acceptRequests, [receiverId, ids]);
    await this.db.run(unfilter, [receiverId, accounts.map(({ fromId }) => fromId)]);
    return accounts.length;
  }

  /** Removes requests and their notifications; returns the number of requests. */
  async remove(receiverId: string, ids: readonly string[]): Promise<number> {
    const accounts = await this.db.rows(removeRequests, [receiverId, ids]);
    await this.db.run(removeFiltered, [receiverId, accounts.map(({ fromId }) => fromId)]);
    return accounts.length;
  }
}
