import type pg from 'pg';

/** The tables and indexes that are shown. */
const SHOWN = 14;
/** The newest posts whose columns are measured. */
const SAMPLE = 20_000;

/** Bytes of a table, without its indexes, or of an index. */
export interface Size {
  readonly name: string;
  readonly rows: number;
  readonly bytes: number;
}

/** The sizes of a filled database. */
export interface Sizes {
  readonly bytes: number;
  /** The largest first. */
  readonly tables: readonly Size[];
  readonly indexes: readonly Size[];
  /** Average bytes of a column of `statuses`; nulls count as none. */
  readonly columns: Readonly<Record<string, number>>;
}

const OF_KIND = `select c.relname as name, greatest(c.reltuples, 0)::float as rows, pg_table_size(c.oid)::float as bytes
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = $1 order by bytes desc, 1 limit ${SHOWN}`;

/** Measures a database right after `vacuum analyze`. */
export async function sizesOf(sql: pg.Client): Promise<Sizes> {
  const total = await sql.query<{ bytes: number }>('select pg_database_size(current_database())::float as bytes');
  const ofKind = async (kind: string) => (await sql.query<Size>(OF_KIND, [kind])).rows;
  return {
    bytes: total.rows[0]!.bytes,
    tables: await ofKind('r'),
    indexes: await ofKind('i'),
    columns: await columnsOf(sql),
  };
}

async function columnsOf(sql: pg.Client): Promise<Record<string, number>> {
  const { rows: names } = await sql.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = 'statuses'::regclass and attnum > 0 and not attisdropped`,
  );
  const { rows } = await sql.query<Record<string, number>>(
    `select ${names.map(({ name }) => `coalesce(sum(pg_column_size(${name})), 0)::float / count(*) as ${name}`).join(', ')}
     from (select * from statuses order by id desc limit ${SAMPLE}) newest`,
  );
  return rows[0] ?? {};
}

/** The sizes as Markdown. */
export function sizesAsMarkdown({ bytes, tables, indexes, columns }: Sizes, statuses: number): string {
  const lineOf = ({ name, rows, bytes: size }: Size) =>
    `| ${name} | ${megabytes(size)} | ${rows} | ${each(size, rows)} |`;
  const largest = Object.entries(columns).filter(([, size]) => size >= 1);
  return [
    `The database has ${megabytes(bytes)} MB: ${each(bytes, statuses)} bytes for each status, with everything.`,
    `Bytes by column of \`statuses\`: ${largest
      .sort(([, a], [, b]) => b - a)
      .map(([name, size]) => `${name} ${Math.round(size)}`)
      .join(', ')}.`,
    '',
    '| table, then index | MB | rows | bytes a row |',
    '| --- | ---: | ---: | ---: |',
    ...[...tables, ...indexes].map(lineOf),
  ].join('\n');
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

function each(bytes: number, rows: number): string {
  return rows === 0 ? '' : String(Math.round(bytes / rows));
}
