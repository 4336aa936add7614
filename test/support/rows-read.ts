import pg from 'pg';
import { type Database, declaredStatements } from '../../src/platform/index.js';
import type { TestApp } from './servers/app.js';

interface PlanNode {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly PlanNode[];
}

/** A value of a statement. */
export type Value = string | number | boolean | null | readonly (string | number | null)[];

/** One plan for all values, as the server has it. Test tables are small, so PostgreSQL would rather read all of them. */
const WHOLE_TABLES = ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin']
  .map((name) => `-c ${name}=off`)
  .join(' ');
const SESSION = `-c jit=off -c plan_cache_mode=force_generic_plan ${WHOLE_TABLES}`;

/** The number of rows that PostgreSQL reads from tables for a declared statement, whose changes are undone. */
export function rowsRead(app: TestApp, name: string, values: readonly Value[]): Promise<number> {
  const text = declaredStatements().get(name);
  if (text === undefined) throw new Error(`No statement is called ${name}`);
  return rowsOf(app, text, values);
}

/** {@link rowsRead} for the first unnamed statement that a repository sends. */
export async function rowsAsked(app: TestApp, ask: (db: Database) => unknown): Promise<number> {
  const sent: [string, readonly Value[]][] = [];
  const query = (...statement: [string, readonly Value[]]) => Promise.resolve(sent.push(statement) ? [] : []);
  await ask({ query } as unknown as Database);
  const [text = '', values = []] = sent[0] ?? [];
  return rowsOf(app, text, values);
}

async function rowsOf(app: TestApp, text: string, values: readonly Value[]): Promise<number> {
  const client = new pg.Client({ ...app.address, options: SESSION });
  await client.connect();
  try {
    await client.query('vacuum analyze');
    await client.query(`prepare measured as ${text}`);
    await client.query('begin');
    const run = `execute measured${values.length > 0 ? `(${values.map(literal).join(', ')})` : ''}`;
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `explain (analyze, format json) ${run}`,
    );
    return countRows(rows[0]!['QUERY PLAN'][0].Plan);
  } finally {
    await client.end();
  }
}

function countRows(node: PlanNode): number {
  const read = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
  const own = node['Relation Name'] === undefined ? 0 : read;
  return (node.Plans ?? []).reduce((sum, child) => sum + countRows(child), own);
}

function literal(value: Value): string {
  if (value === null) return 'null';
  if (typeof value === 'object') return pg.escapeLiteral(`{${value.map((item) => JSON.stringify(item)).join(',')}}`);
  return typeof value === 'string' ? pg.escapeLiteral(value) : String(value);
}
