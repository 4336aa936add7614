import { Injectable } from '@nestjs/common';
import { Database, type Keyset } from '../platform/index.js';
import type { PageRow } from '../statuses/index.js';
import { addressPage, authorPage, isEntry, recentPage, wordsPage } from './status-search.sql.js';

/** The conditions of a search for posts. */
export interface StatusSearch {
  /** `''` for anonymous callers. */
  readonly viewerId: string;
  readonly keyset: Keyset;
  /** Null for any text. */
  readonly text: string | null;
  /** Flag bits that must be set, and flag bits that must not be set. */
  readonly parts: number;
  readonly missing: number;
  readonly offset: number;
}

/** Finds posts that the viewer may see, newest first. */
@Injectable()
export class StatusSearchRepository {
  constructor(private readonly db: Database) {}

  /** Searches the newest posts only. For queries without words, such as `has:media`. */
  recent(wanted: StatusSearch): Promise<PageRow[]> {
    return this.db.rows(recentPage[wanted.keyset.direction], values(wanted));
  }

  /**
   * Searches by words. Searches only the newest posts for common words, and for queries that only exclude words; for others
   * with many uses a part of time, and all of it where this does not fill the page.
   */
  async withWords(wanted: StatusSearch): Promise<PageRow[]> {
    const page = wordsPage[wanted.keyset.direction];
    const near = await this.db.rows(page, [...values(wanted), true]);
    const rows = near.filter(isEntry);
    if (rows.length >= wanted.keyset.limit || near[0]?.until === null) return rows;
    return (await this.db.rows(page, [...values(wanted), false])).filter(isEntry);
  }

  /** Searches the posts of one account. */
  ofAuthor(authorId: string, wanted: StatusSearch): Promise<PageRow[]> {
    return this.db.rows(authorPage[wanted.keyset.direction], [...values(wanted), authorId]);
  }

  /** Finds a post by its protocol id, by the address of its page or by its local id. */
  at(address: string, id: string, viewerId: string): Promise<PageRow[]> {
    return this.db.rows(addressPage, [viewerId, address, id]);
  }
}

const values = ({ viewerId, keyset, text, parts, missing, offset }: StatusSearch): unknown[] => [
  viewerId,
  keyset.below,
  keyset.above,
  text,
  parts,
  missing,
  keyset.limit,
  offset,
];
