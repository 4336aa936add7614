import { Injectable } from '@nestjs/common';
import { Database } from '../platform/index.js';
import type { Showing } from '../statuses/index.js';
import { type FollowerRow, followersAmong, followersOf, type PostFacts, postFacts, wanted } from './audience.sql.js';

/** The statements that find out whom something concerns. */
@Injectable()
export class AudienceRepository {
  constructor(private readonly db: Database) {}

  /** Accepted followers of each account: the newest, up to the number that the statement names. */
  followersOf(accountIds: readonly string[]): Promise<FollowerRow[]> {
    return this.db.rows(followersOf, [accountIds]);
  }

  /** Accepted follows of the accounts by the readers. */
  followersAmong(accountIds: readonly string[], readerIds: readonly string[]): Promise<FollowerRow[]> {
    return this.db.rows(followersAmong, [accountIds, readerIds]);
  }

  postFacts(statusIds: readonly string[]): Promise<PostFacts[]> {
    return this.db.rows(postFacts, [statusIds]);
  }

  /** Those of the showings whose viewers, all signed in, do not want to be spared the entry. */
  async wanted(showings: readonly Showing[]): Promise<Showing[]> {
    const rows = await this.db.rows(wanted, [showings.map(({ id }) => id), showings.map(({ viewerId }) => viewerId)]);
    return rows.map((row) => ({ id: row.entry_id, viewerId: row.viewer_id }));
  }
}
