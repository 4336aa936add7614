import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/index.js';

/** The size of a table. */
export interface TableSize {
  readonly table: string;
  /** With its indexes, in bytes. */
  readonly bytes: number;
  /** As PostgreSQL estimates it. */
  readonly rows: number;
}

const tables = sql<TableSize>(
  'storage.tables',
  `select c.relname::text as table, pg_total_relation_size(c.oid)::float8 as bytes,
     coalesce(nullif(pg_stat_get_live_tuples(c.oid), 0), greatest(c.reltuples, 0))::float8 as rows
   from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
   order by 2 desc, 1`,
);

const database = sql<{ bytes: number }>(
  'storage.database',
  `select pg_database_size(current_database())::float8 as bytes`,
);

/** Reads sizes from PostgreSQL. */
@Injectable()
export class StorageRepository {
  constructor(private readonly db: Database) {}

  /** Every table, the largest first. Reads the sizes of files, no rows. */
  tables(): Promise<TableSize[]> {
    return this.db.rows(tables);
  }

  /** The size of the whole database in bytes. */
  async database(): Promise<number> {
    return (await this.db.first(database))?.bytes ?? 0;
  }

  /** The size of some tables for each row of the first of them; 0 without tables. */
  async bytesPerRow(names: readonly string[]): Promise<number> {
    const sizes = names.length === 0 ? [] : await this.tables();
    const family = sizes.filter(({ table }) => names.includes(table));
    const known = family.find(({ table }) => table === names[0])?.rows ?? 0;
    const rows = known === 0 ? await this.countRows(names[0]) : known;
    const bytes = family.reduce((sum, size) => sum + size.bytes, 0);
    return rows === 0 ? 0 : bytes / rows;
  }

  /** Counts the rows of a table of which PostgreSQL has no estimate: a small one, or a restored one. */
  private async countRows(table: string | undefined): Promise<number> {
    if (table === undefined) return 0;
    const [row] = await this.db.query<{ rows: number }>(`select count(*)::float8 as rows from ${table}`);
    return row?.rows ?? 0;
  }
}
