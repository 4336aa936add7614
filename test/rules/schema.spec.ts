import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { schemaText } from '../support/schema-text.js';
import { useApp } from '../support/servers/app.js';

interface Column {
  readonly table_name: string;
  readonly column_name: string;
  readonly type: string;
  readonly nullable: boolean;
  readonly collation: string | null;
}

/** Columns that entities leave out on purpose: PostgreSQL computes them. */
const COMPUTED = new Set(['statuses.tsv', 'notifications.group_key']);
const UNMAPPED_TABLES = new Set(['migrations']);

describe('the entities', () => {
  const app = useApp({ once: [] });
  let columns: Map<string, Column>;

  beforeAll(async () => {
    const rows = await app.sql<Column>(
      `select table_name, column_name, case when data_type = 'ARRAY' then ltrim(udt_name, '_') || '[]' else udt_name end as type,
         is_nullable = 'YES' as nullable, collation_name as collation
       from information_schema.columns where table_schema = 'public'`,
    );
    columns = new Map(rows.map((row) => [`${row.table_name}.${row.column_name}`, row]));
  });

  const mapped = () => app.nest.get(DataSource).entityMetadatas.flatMap((entity) => entity.columns);

  it('map every column of every table', () => {
    const known = new Set(mapped().map((column) => `${column.entityMetadata.tableName}.${column.databaseName}`));
    const forgotten = [...columns].filter(
      ([name, column]) => !known.has(name) && !COMPUTED.has(name) && !UNMAPPED_TABLES.has(column.table_name),
    );
    expect(forgotten.map(([name]) => name)).toEqual([]);
  });

  it('agree with the database on type, nullability and collation', () => {
    const types: Record<string, string> = {
      integer: 'int4',
      int: 'int4',
      smallint: 'int2',
      bigint: 'int8',
      boolean: 'bool',
    };
    const told = mapped().map((column) => {
      const name = `${column.entityMetadata.tableName}.${column.databaseName}`;
      const type = String(column.type);
      const base = types[type] ?? type;
      const collation = base === 'text' && !column.isArray ? (column.collation ?? null) : null;
      return { name, type: column.isArray ? `${base}[]` : base, nullable: column.isNullable, collation };
    });
    const actual = told.map(({ name }) => {
      const column = columns.get(name);
      return { name, type: column?.type, nullable: column?.nullable, collation: column?.collation ?? null };
    });
    expect(told).toEqual(actual);
  });

  it('are those of docs/schema.sql (npm run schema)', async () => {
    const client = new pg.Client(app.address);
    await client.connect();
    try {
      expect(await readFile(new URL('../../docs/schema.sql', import.meta.url), 'utf8')).toBe(await schemaText(client));
    } finally {
      await client.end();
    }
  });
});
