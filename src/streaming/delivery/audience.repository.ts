import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/index.js';
import type { StatusForViewer } from '../../statuses/index.js';
import {
  type FollowerRow,
  followersAmong,
  followersOf,
  followersOfTags,
  type ListingRow,
  listings,
  listsWith,
  type StatusFacts,
  statusFacts,
  type TagFollowerRow,
  tagFollowers,
  wanted,
} from './audience.sql.js';

/**
 * An entry that the viewer wants. `isOffHome`: an exclusive list of the viewer shows the author, or the viewer wants other
 * languages from it, so that the home timeline leaves it out.
 */
export interface WantedStatus extends StatusForViewer {
  readonly isOffHome: boolean;
}

/** The statements that find the audience of an event. */
@Injectable()
export class AudienceRepository {
  constructor(private readonly db: Database) {}

  /** The newest accepted followers of each account, up to `NAMED_FOLLOWERS`. */
  followersOf(accountIds: readonly string[]): Promise<FollowerRow[]> {
    return this.db.rows(followersOf, [accountIds]);
  }

  /** Accepted follows of the accounts by the readers. */
  followersAmong(accountIds: readonly string[], readerIds: readonly string[]): Promise<FollowerRow[]> {
    return this.db.rows(followersAmong, [accountIds, readerIds]);
  }

  statusFacts(statusIds: readonly string[]): Promise<StatusFacts[]> {
    return this.db.rows(statusFacts, [statusIds]);
  }

  /**
   * Returns the pairs whose viewer wants the entry. `contained`: leaves out threads that the viewer may see only in
   * part.
   */
  async wanted(entries: readonly StatusForViewer[], contained: boolean): Promise<WantedStatus[]> {
    const [ids, viewerIds] = [entries.map(({ id }) => id), entries.map(({ viewerId }) => viewerId)];
    const rows = await this.db.rows(wanted, [ids, viewerIds, contained]);
    return rows.map((row) => ({ id: row.entryId, viewerId: row.viewerId, isOffHome: row.isOffHome }));
  }

  /** The readers who follow a tag of an entry. */
  tagFollowers(entryIds: readonly string[], readerIds: readonly string[]): Promise<TagFollowerRow[]> {
    return this.db.rows(tagFollowers, [entryIds, readerIds]);
  }

  /** The readers who follow one of the tags. */
  followersOfTags(
    tagIds: readonly string[],
    readerIds: readonly string[],
  ): Promise<{ tagId: string; followerId: string }[]> {
    return this.db.rows(followersOfTags, [tagIds, readerIds]);
  }

  /** The lists that show an entry, among the given ones. */
  listings(entryIds: readonly string[], listIds: readonly string[]): Promise<ListingRow[]> {
    return this.db.rows(listings, [entryIds, listIds]);
  }

  /** The lists that an account is on, among the given ones. */
  listsWith(
    accountIds: readonly string[],
    listIds: readonly string[],
  ): Promise<{ accountId: string; listId: string }[]> {
    return this.db.rows(listsWith, [accountIds, listIds]);
  }
}
