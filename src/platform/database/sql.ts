import type { EntityManager, EntityTarget, FindOptionsWhere, ObjectLiteral } from 'typeorm';

/** A named prepared statement; `Row` is the shape of one result row, as `test/rules/statements.spec.ts` checks. */
export interface Statement<Row> {
  readonly name: string;
  readonly text: string;
  /** Whether it changes nothing and waits for no lock of a row. */
  readonly isRead: boolean;
  /** What rows were read from; for a statement that replicas may answer, see {@link StatementOptions}. */
  subjects?(values: readonly unknown[], rows: readonly Row[]): readonly string[];
  /** Never set: carries the row type. */
  readonly row?: Row;
}

export interface StatementOptions<Row> {
  /**
   * Lets replicas answer the statement (docs/adr/0035). Returns the subjects (docs/adr/0025) of all that the rows for these
   * values were read from; is called before the statement runs too, without rows.
   */
  readonly replica?: (values: readonly unknown[], rows: readonly Row[]) => readonly string[];
}

/** A word of statements that change something, or that may wait for others. */
const CHANGES = /\b(insert|update|delete|set_config|nextval|for (key )?share|pg_\w*(lock|notify)\w*)\b/i;

const MAX_NAME_BYTES = 63; // PostgreSQL cuts longer names, and two cut names could meet
const texts = new Map<string, string>();

/**
 * Declares a hot statement once, at module load. The server refuses to start when one name has two texts, since a
 * connection would keep running the first.
 */
export function sql<Row = never>(
  name: string,
  query: string | Fragment,
  { replica }: StatementOptions<Row> = {},
): Statement<Row> {
  const text = typeof query === 'string' ? query : withCtes(query);
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) throw new Error(`Statement name "${name}" is too long`);
  const known = texts.get(name);
  if (known !== undefined && known !== text) throw new Error(`Statement name "${name}" is used twice`);
  texts.set(name, text);
  const isRead = !CHANGES.test(text);
  if (replica && !isRead) throw new Error(`Statement "${name}" is for the primary only`);
  return { name, text, isRead, ...(replica && { subjects: replica }) };
}

/** Every declared statement, for reviews (`docs/sql`) and `EXPLAIN` runs. */
export function declaredStatements(): ReadonlyMap<string, string> {
  return texts;
}

/** A piece of SQL, with the CTEs that it reads. */
export interface Fragment {
  readonly text: string;
  /** By name, each after those that it reads itself. */
  readonly ctes: ReadonlyMap<string, Cte>;
}

interface Cte {
  readonly definition: string;
  readonly isRecursive: boolean;
}

/**
 * Joins SQL and fragments to a fragment that brings the CTEs of all of them.
 * @throws when two of them name different CTEs alike
 */
export function fragment(texts: TemplateStringsArray, ...values: readonly (string | number | Fragment)[]): Fragment {
  const ctes = new Map<string, Cte>();
  for (const value of values) if (typeof value === 'object') addAll(ctes, value.ctes);
  const parts = values.map((value) => (typeof value === 'object' ? value.text : String(value)));
  return { text: String.raw({ raw: texts }, ...parts), ctes };
}

/**
 * A CTE: a fragment whose text is the name. `name` may list columns: `path(id, depth)`. Plain CTEs are left to the planner,
 * others are computed once.
 */
export function cte(
  name: string,
  query: string | Fragment,
  kind: 'materialized' | 'plain' | 'recursive' = 'materialized',
): Fragment {
  const { text, ctes } = fragment`${query}`;
  const table = name.replace(/\(.*/, '');
  const definition = `${name} as ${kind === 'materialized' ? 'materialized ' : ''}(${text})`;
  return {
    text: table,
    ctes: addAll(new Map(ctes), new Map([[table, { definition, isRecursive: kind === 'recursive' }]])),
  };
}

/** The fragment as a query of its own, with its CTEs in front. */
export function withCtes({ text, ctes }: Fragment): string {
  if (ctes.size === 0) return text;
  const all = [...ctes.values()];
  const recursive = all.some(({ isRecursive }) => isRecursive) ? 'recursive ' : '';
  return `with ${recursive}${all.map(({ definition }) => definition).join(',\n  ')}\n  ${text}`;
}

function addAll(ctes: Map<string, Cte>, added: ReadonlyMap<string, Cte>): Map<string, Cte> {
  for (const [name, other] of added) {
    const known = ctes.get(name);
    if (known !== undefined && known.definition !== other.definition)
      throw new Error(`Two CTEs have the name "${name}"`);
    ctes.set(name, other);
  }
  return ctes;
}

/** SQL: the number of rows of a query, which reads no more than `most` of them. */
export function countUpTo(most: number, rows: string): string {
  return `(select count(*)::int from (select from ${rows} limit ${most}) counted)`;
}

/** {@link countUpTo} for the rows of an entity. */
export async function countFound<Row extends ObjectLiteral>(
  manager: EntityManager,
  entity: EntityTarget<Row>,
  where: FindOptionsWhere<Row>,
  most: number,
): Promise<number> {
  const rows = manager.createQueryBuilder(entity, 'found').setFindOptions({ where }).select('1').limit(most);
  const [text, values] = rows.getQueryAndParameters();
  const counted: { count: number }[] = await manager.query(
    `select count(*)::int as count from (${text}) counted`,
    values,
  );
  return counted[0]?.count ?? 0;
}

/**
 * Whether there is such a row: an SQL condition. With `exists`, PostgreSQL may build a hash of all rows of the viewer.
 */
export function someRow(rows: string): string;
export function someRow(rows: Fragment): Fragment;
export function someRow(rows: string | Fragment): string | Fragment {
  const condition = fragment`coalesce((select true from ${rows} limit 1), false)`;
  return typeof rows === 'string' ? condition.text : condition;
}
