import { Injectable } from '@nestjs/common';
import { Database } from '../platform/index.js';
import type { Showing } from '../statuses/index.js';
import {
  type FollowerRow,
  followersAmong,
  followersOf,
  followersOfTags,
  type ListingRow,
  listings,
  listsWith,
  type PostFacts,
  postFacts,
  type TagFollowerRow,
  tagFollowers,
  wanted,
} from './audience.sql.js';

/** A showing whose viewer does not want to be spared the entry; at home, where its people are kept `apart`, it is. */
export interface WantedShowing extends Showing {
  readonly apart: boolean;
}

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

  /** Those of the showings whose viewers are not to be spared the entry; threads are `contained` as in the timelines. */
  async wanted(showings: readonly Showing[], contained: boolean): Promise<WantedShowing[]> {
    const [ids, viewerIds] = [showings.map(({ id }) => id), showings.map(({ viewerId }) => viewerId)];
    const rows = await this.db.rows(wanted, [ids, viewerIds, contained]);
    return rows.map((row) => ({ id: row.entry_id, viewerId: row.viewer_id, apart: row.apart }));
  }

  /** Those of the readers who follow a tag of an entry. */
  tagFollowers(entryIds: readonly string[], readerIds: readonly string[]): Promise<TagFollowerRow[]> {
    return this.db.rows(tagFollowers, [entryIds, readerIds]);
  }

  /** Those of the readers who follow one of the tags. */
  followersOfTags(
    tagIds: readonly string[],
    readerIds: readonly string[],
  ): Promise<{ tag_id: string; follower_id: string }[]> {
    return this.db.rows(followersOfTags, [tagIds, readerIds]);
  }

  /** Which of the lists show which of the entries. */
  listings(entryIds: readonly string[], listIds: readonly string[]): Promise<ListingRow[]> {
    return this.db.rows(listings, [entryIds, listIds]);
  }

  /** Which of the accounts are on which of the lists. */
  listsWith(
    accountIds: readonly string[],
    listIds: readonly string[],
  ): Promise<{ account_id: string; list_id: string }[]> {
    return this.db.rows(listsWith, [accountIds, listIds]);
  }
}
