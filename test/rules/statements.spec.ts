import pg from 'pg';
import '../../src/app.module.js';
import { declaredStatements } from '../../src/platform/index.js';
import { describeStatement } from '../support/describe-statement.js';
import { type DeclaredColumn, type DeclaredRow, readRowTypes } from '../support/row-types.js';
import { makeDatabase } from '../support/servers/database.js';

/** The types that the type parsers of our connections return for PostgreSQL types; for arrays they return arrays of these. */
const DELIVERED: Readonly<Record<string, string>> = {
  bool: 'boolean',
  bytea: 'Buffer',
  date: 'string',
  float4: 'number',
  float8: 'number',
  int2: 'number',
  int4: 'number',
  int8: 'string',
  json: 'json',
  jsonb: 'json',
  text: 'string',
  timestamptz: 'string',
};
const JSON_KINDS = /^(string|number|boolean|object|anything|.*\[\])$/;

function delivered(type: string): string {
  return type.startsWith('_') ? `${delivered(type.slice(1))}[]` : (DELIVERED[type] ?? `unknown type ${type}`);
}

function admits({ kinds }: DeclaredColumn, kind: string): boolean {
  return kinds.length > 0 && kinds.every((each) => each === kind || (kind === 'json' && JSON_KINDS.test(each)));
}

async function onDatabase(work: (client: pg.Client) => Promise<void>): Promise<void> {
  const database = await makeDatabase();
  const client = new pg.Client(database.address);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
    await database.drop();
  }
}

/** Other spec files of the process have declared some of their own. */
const statementsOfTheServer = () => [...declaredStatements()].filter(([name]) => !name.startsWith('test.'));

describe('The row type of a statement', () => {
  it('matches the columns that PostgreSQL returns', async () => {
    const declared = readRowTypes();
    const wrong: string[] = [];
    await onDatabase(async (client) => {
      const types = await client.query<{ oid: number; typname: string }>('select oid, typname from pg_type');
      const nameOf = new Map(types.rows.map(({ oid, typname }) => [oid, typname]));
      for (const [name, text] of statementsOfTheServer()) {
        const row = declared.filter(({ names }) => names.test(name)).sort((a, b) => b.certain - a.certain)[0];
        const fields = await describeStatement(client, text);
        const columns = fields.map((field) => ({ name: field.name, type: nameOf.get(field.dataTypeID) ?? '' }));
        wrong.push(...differences(columns, row).map((difference) => `${name} (${row?.where ?? ''}): ${difference}`));
      }
    });
    expect(wrong).toEqual([]);
  }, 240_000); // the compiler reads all sources

  function differences(columns: readonly { name: string; type: string }[], row: DeclaredRow | undefined): string[] {
    if (!row) return ['no call of sql declares it'];
    const answered = columns.filter(({ type }) => type !== 'void'); // of a function called for its effect
    const names = answered.map(({ name }) => name);
    return [
      ...names.filter((name, index) => names.indexOf(name) !== index).map((name) => `${name} is answered twice`),
      ...row.columns
        .filter(({ name, optional }) => !optional && !names.includes(name))
        .map(({ name }) => `${name} is not answered`),
      ...answered.flatMap(({ name, type }) => {
        const column = row.columns.find((each) => each.name === name);
        if (!column) return [`${name} is not declared`];
        const kind = delivered(type);
        return admits(column, kind) ? [] : [`${name} is ${kind} (${type}), not ${column.kinds.join(' | ')}`];
      }),
    ];
  }
});

describe('A statement that locks some rows', () => {
  it('chooses them once: PostgreSQL may run a subselect after `in` for each row, which then finds the next ones', () => {
    const repeated = statementsOfTheServer().filter(([, text]) =>
      [...text.matchAll(/\bin\s*\(\s*select\b/g)].some(({ index }) =>
        /\blimit\b[^()]*\bfor (no key )?update\b/.test(inParentheses(text.slice(text.indexOf('(', index)))),
      ),
    );
    expect(repeated.map(([name]) => name)).toEqual([]);
  });

  /** The text up to the end of the parenthesis that it begins with. */
  function inParentheses(text: string): string {
    let depth = 0;
    const end = [...text.matchAll(/[()]/g)].find(([sign]) => (depth += sign === '(' ? 1 : -1) === 0);
    return text.slice(0, end?.index);
  }
});
