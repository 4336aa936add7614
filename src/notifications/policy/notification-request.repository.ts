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

/** What becomes of a request: its notifications are listed or removed. */
export type RequestDecision = 'accept' | 'dismiss';

const decideRequests = { accept: acceptRequests, dismiss: removeRequests };
const decideFiltered = { accept: unfilter, dismiss: removeFiltered };

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

  /** Accepts or removes requests; returns their accounts. */
  async decide(decision: RequestDecision, receiverId: string, ids: readonly string[]): Promise<string[]> {
    return (await this.db.rows(decideRequests[decision], [receiverId, ids])).map(({ fromId }) => fromId);
  }

  /** Lists or removes a slice of the filtered notifications of accounts up to an id; returns their ids, newest first. */
  async decideFiltered(
    decision: RequestDecision,
    receiverId: string,
    fromIds: readonly string[],
    upTo: string,
  ): Promise<string[]> {
    return (await this.db.rows(decideFiltered[decision], [receiverId, fromIds, upTo])).map(({ id }) => id);
  }
}
