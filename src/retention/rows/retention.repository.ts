import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../platform/index.js';
import type { SliceResult } from '../model/retention-kind.js';
import type { IdRow, NextRow, RowStatements } from './row-kind.sql.js';

/** Finds, locks and removes rows of every kind. `age` is the age of the kind, as its statements take it. */
@Injectable()
export class RetentionRepository {
  constructor(private readonly db: Database) {}

  /** Counts those that may go among the next rows after an id. */
  async count({ count }: RowStatements, after: string, age: string | number): Promise<SliceResult> {
    const { count: rows = 0, last } = (await this.db.first(count, [after, age])) ?? {};
    return { rows, next: last ?? undefined };
  }

  /**
   * Locks those that may go among the next rows after an id, until the unit of work ends: nobody can refer to them
   * meanwhile.
   */
  async lockNext(statements: RowStatements, after: string, age: string | number): Promise<NextRow> {
    const { ids = [], last = null } = (await this.db.first(statements.next, [after, age])) ?? {};
    const locked = ids.length === 0 ? [] : await this.idsOf(statements.lock, [ids]);
    return { ids: locked.length === 0 ? [] : await this.idsOf(statements.recheck, [locked, age]), last };
  }

  /** Removes locked rows with the statement of their kind. */
  async remove(statement: Statement<never>, ids: readonly string[]): Promise<void> {
    await this.db.run(statement, [ids]);
  }

  private async idsOf(statement: Statement<IdRow>, values: readonly unknown[]): Promise<string[]> {
    return (await this.db.rows(statement, values)).map(({ id }) => id);
  }
}
