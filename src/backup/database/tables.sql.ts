import type pg from 'pg';

/** A table and the columns that are copied: all that are not computed from others. */
export interface CopiedTable {
  readonly name: string;
  readonly columns: readonly string[];
}

/** The state of the sequence behind a column. */
export interface Sequence {
  readonly table: string;
  readonly column: string;
  /** A 64-bit integer as text. */
  readonly lastValue: string;
  readonly isCalled: boolean;
}

/** Tables that are made, not copied: by the migrations, and by {@link Loader}. */
export const OWN_TABLES = ['migrations', 'unfinished_load', 'unfinished_load_tables'] as const;

const isOwn = `c.relname = any('{${OWN_TABLES.join(',')}}'::name[])`;
const isOfExtension = `exists (select from pg_depend d
  where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`;

const listTables = `select c.relname::text as name,
    array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      and a.attgenerated = '' order by a.attnum) as columns,
    array(select distinct r.relname::text from pg_constraint k join pg_class r on r.oid = k.confrelid
      where k.conrelid = c.oid and k.contype = 'f' and r.oid <> c.oid) as referenced
  from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and not ${isOwn} and not ${isOfExtension}
  order by c.relname collate "C"`;

const listSequences = `select c.relname::text as "table", a.attname::text as "column", s.oid::regclass::text as sequence
  from pg_class s join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = s.oid and d.deptype in ('a', 'i')
    and d.refclassid = 'pg_class'::regclass
  join pg_class c on c.oid = d.refobjid join pg_attribute a on a.attrelid = c.oid and a.attnum = d.refobjsubid
  where s.relkind = 'S' and c.relnamespace = current_schema()::regnamespace and not ${isOwn}
  order by c.relname collate "C", a.attnum`;

interface TableRow extends CopiedTable {
  readonly referenced: readonly string[];
}

/** The tables of the schema, each after those that it refers to. */
export async function tablesOf(client: pg.Client): Promise<CopiedTable[]> {
  const { rows } = await client.query<TableRow>(listTables);
  return inOrderOfReferences(rows).map(({ name, columns }) => ({ name, columns }));
}

/** The sequences of the tables. They are not part of a snapshot: their values are never behind it. */
export async function sequencesOf(client: pg.Client): Promise<Sequence[]> {
  const { rows } = await client.query<{ table: string; column: string; sequence: string }>(listSequences);
  const found: Sequence[] = [];
  for (const { table, column, sequence } of rows) {
    const state = await client.query<{ value: string; called: boolean }>(
      `select last_value::text as value, is_called as called from ${sequence}`,
    );
    const [row] = state.rows;
    if (row) found.push({ table, column, lastValue: row.value, isCalled: row.called });
  }
  return found;
}

/** The names of the migrations that the database has, in order. */
export async function migrationsOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from migrations order by id');
  return rows.map(({ name }) => name);
}

/** An identifier in double quotes. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** `"table" ("column", …)`, as `copy` wants it. */
export function copyTarget({ name, columns }: CopiedTable): string {
  return `${quoted(name)} (${columns.map(quoted).join(', ')})`;
}

function inOrderOfReferences(tables: readonly TableRow[]): TableRow[] {
  const ordered: TableRow[] = [];
  let waiting = [...tables];
  while (waiting.length > 0) {
    const names = new Set(waiting.map(({ name }) => name));
    const ready = waiting.filter(({ referenced }) => !referenced.some((name) => names.has(name)));
    if (ready.length === 0) throw new Error(`Tables refer to each other in a circle: ${[...names].join(', ')}`);
    ordered.push(...ready);
    waiting = waiting.filter((table) => !ready.includes(table));
  }
  return ordered;
}
