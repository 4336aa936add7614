import type pg from 'pg';

const HEAD = `-- The database of today, as all migrations leave it: for reading. \`npm run schema\` writes this file; the server runs
-- src/migrations. Columns stand in the order in which they were added.`;

interface Text {
  readonly text: string;
}
interface Table {
  readonly oid: number;
  readonly name: string;
  readonly unlogged: boolean;
  readonly options: string | null;
}
interface Column {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly identity: '' | 'a' | 'd';
  readonly generated: '' | 's' | 'v';
  readonly value: string | null;
}

const EXTENSIONS = `
  select format('create extension %I;', extname) as text from pg_extension where extname <> 'plpgsql' order by 1`;
const TABLES = `
  select oid, relname as name, relpersistence = 'u' as unlogged, array_to_string(reloptions, ', ') as options
  from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by relname`;
const COLUMNS = `
  select a.attname as name, format_type(a.atttypid, a.atttypmod) || coalesce(' collate ' || quote_ident(c.collname), '') as type,
    a.attnotnull as required,
    a.attidentity as identity, a.attgenerated as generated, pg_get_expr(d.adbin, d.adrelid) as value
  from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    left join pg_collation c on c.oid = a.attcollation and c.collname <> 'default'
  where a.attrelid = $1 and a.attnum > 0 and not a.attisdropped order by a.attnum`;
/** Without "not null", which stands with the column. */
const CONSTRAINTS = `
  select format('constraint %I %s', conname, pg_get_constraintdef(oid)) as text from pg_constraint
  where conrelid = $1 and contype <> 'n' order by contype <> 'p', conname`;
/** Without those of constraints of the table itself: a foreign key of another one uses an index, and makes none. */
const INDEXES = `
  select pg_get_indexdef(i.indexrelid) || ';' as text from pg_index i join pg_class c on c.oid = i.indexrelid
  where i.indrelid = $1 and not exists (
    select from pg_constraint n where n.conindid = i.indexrelid and n.conrelid = i.indrelid) order by c.relname`;
const TRIGGERS = `
  select pg_get_triggerdef(oid) || ';' as text from pg_trigger where tgrelid = $1 and not tgisinternal order by tgname`;
const FUNCTIONS = `
  select pg_get_functiondef(p.oid) as text from pg_proc p
  where p.pronamespace = 'public'::regnamespace
    and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e') order by p.proname, p.oid`;

/** The schema of a database as SQL: extensions, tables with their indexes and triggers, functions. */
export async function schemaText(client: pg.Client): Promise<string> {
  const rows = async <Row extends object>(text: string, oid?: number) =>
    (await client.query<Row>(text, oid === undefined ? [] : [oid])).rows;
  const texts = async (text: string, oid?: number) =>
    (await rows<Text>(text, oid)).map((row) => row.text.replaceAll(' public.', ' ').trimEnd());
  const parts = [HEAD, (await texts(EXTENSIONS)).join('\n')];
  for (const { oid, name, unlogged, options } of await rows<Table>(TABLES)) {
    const lines = [...(await rows<Column>(COLUMNS, oid)).map(columnText), ...(await texts(CONSTRAINTS, oid))];
    const head = `create ${unlogged ? 'unlogged ' : ''}table ${name} (\n  ${lines.join(',\n  ')}\n)`;
    const after = [...(await texts(INDEXES, oid)), ...(await texts(TRIGGERS, oid))];
    parts.push([`${head}${options === null ? '' : ` with (${options})`};`, ...after].join('\n'));
  }
  parts.push(...(await texts(FUNCTIONS)).map((text) => `${text};`));
  return `${parts.join('\n\n')}\n`;
}

function columnText({ name, type, required, identity, generated, value }: Column): string {
  const filled = () => {
    if (identity !== '') return [`generated ${identity === 'a' ? 'always' : 'by default'} as identity`];
    if (value === null) return [];
    if (generated === '') return [`default ${value}`];
    return [`generated always as (${value}) ${generated === 's' ? 'stored' : 'virtual'}`];
  };
  return [name, type, ...filled(), ...(required ? ['not null'] : [])].join(' ');
}
