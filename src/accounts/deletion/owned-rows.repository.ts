import { Injectable } from '@nestjs/common';
import { Database, purge } from '../../platform/index.js';
import { isDeleted } from '../model/relations.sql.js';

/** A table and the column that names an account, as `table.column`. The column begins an index. */
export type OwnerColumn = `${string}.${string}`;

/** Removes the rows of an account that was deleted. */
@Injectable()
export class OwnedRowsRepository {
  constructor(private readonly db: Database) {}

  /**
   * Removes the rows that name the account in one of the columns, in bounded batches. Safe to run twice, and late: what an
   * account has that returned meanwhile stays.
   */
  async removeAll(accountId: string, columns: readonly OwnerColumn[]): Promise<void> {
    for (const owner of columns) {
      const [table = '', column = ''] = owner.split('.');
      const where = `${column} = $1 and ${isDeleted('$1')}`;
      await purge(this.db, { table, where, by: column }, [accountId]);
    }
  }
}
