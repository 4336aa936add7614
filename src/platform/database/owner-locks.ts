import { Injectable } from '@nestjs/common';
import { Database } from './database.js';
import { sql } from './sql.js';

/** What owners have so many of at most, or so often. */
export type OwnedKind =
  'backups' | 'endorsements' | 'folders' | 'followed tags' | 'lists' | 'pins' | 'reactions' | 'scheduled';

const take = sql('owner_locks.take', `select pg_advisory_xact_lock(hashtextextended($1::text || ' ' || $2::text, 0))`);

/**
 * No index can say "at most so many rows of one owner": who adds one takes this lock first, and then counts. Only those wait who
 * add to the same kind of the same owner.
 */
@Injectable()
export class OwnerLocks {
  constructor(private readonly db: Database) {}

  /** Makes the open unit of work the only one that adds to what the owner has of a kind, until it ends. */
  async take(kind: OwnedKind, ownerId: string): Promise<void> {
    await this.db.rows(take, [kind, ownerId]);
  }
}
