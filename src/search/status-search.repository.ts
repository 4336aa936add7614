import { Injectable } from '@nestjs/common';
import { Database, type Keyset } from '../platform/index.js';
import type { PageRow } from '../statuses/index.js';
import { addressPage, authorPage, recentPage, wordsPage } from './status-search.sql.js';

/** Which posts are looked for. */
export interface StatusSearch {
  /** `''` for anonymous callers. */
  readonly viewerId: string;
  readonly keyset: Keyset;
  /** Null for any text. */
  readonly text: string | null;
  /** Bits of the flags that must be set, and that must not. */
  readonly parts: number;
  readonly missing: number;
  readonly offset: number;
}

/** Finds posts that the viewer may see, newest first. */
@Injectable()
export class StatusSearchRepository {
  constructor(private readonly db: Database) {}

  /** Among the newest posts of all only: for parts that a post has to have. */
  recent(wanted: StatusSearch): Promise<PageRow[]> {
    return this.db.rows(recentPage[wanted.keyset.direction], values(wanted));
  }

  /** By words: words that are common, and such that must be missing, are looked for among the newest posts only. */
  withWords(wanted: StatusSearch): Promise<PageRow[]> {
    return this.db.rows(wordsPage[wanted.keyset.direction], values(wanted));
  }

  /** Among the posts of one account. */
  ofAuthor(authorId: string, wanted: StatusSearch): Promise<PageRow[]> {
    return this.db.rows(authorPage[wanted.keyset.direction], [...values(wanted), authorId]);
  }

  /** The post that has an address, as its id in the protocol or as its page, or an id of ours. */
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
