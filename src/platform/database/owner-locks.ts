import { Injectable } from '@nestjs/common';
import { Database } from './database.js';
import { sql } from './sql.js';

/** The kinds of rows with a limit per owner. */
export type OwnedKind =
  | 'backups'
  | 'confirmations'
  | 'endorsements'
  | 'folders'
  | 'followed tags'
  | 'group reblogs'
  | 'lists'
  | 'password resets'
  | 'pins'
  | 'reactions'
  | 'recovery codes'
  | 'rules'
  | 'scheduled';

const lock = sql('owner_locks.lock', `select pg_advisory_xact_lock(hashtextextended($1::text || ' ' || $2::text, 0))`);

/**
 * No index can express "at most so many rows of one owner": a unit that adds one takes this lock first, and then
 * counts. Only additions to the same kind of the same owner wait.
 */
@Injectable()
export class OwnerLocks {
  constructor(private readonly db: Database) {}

  /** Locks the owner's rows of a kind against other additions until the open unit ends. */
  async lock(kind: OwnedKind, ownerId: string): Promise<void> {
    await this.db.rows(lock, [kind, ownerId]);
  }
}
