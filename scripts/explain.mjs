// Writes how PostgreSQL runs the statements of a family on many rows: after `npm run build`, `node scripts/explain.mjs
// relations` makes docs/sql/relations.md from scripts/explain/relations.mjs, on a throw-away bundled PostgreSQL. Without a
// name it does so for every family.
//
// A family exports
//   title      a line that says what its statements are for
//   rows       a line that says what the tables hold
//   seed       SQL that fills the migrated, empty database; always the same rows
//   plans      [{ name, values, note? }]: declared statements with the values they are run with; or
//              [{ name, ask, note? }]: `ask(db)` has a repository send its unnamed statement, which is planned for its values
//
// How many milliseconds each took is said on the terminal only.
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import '../dist/app.module.js';
import { migrate } from '../dist/migrate.js';
import { EmbeddedPostgres } from '../dist/platform/database/embedded.js';
import { declaredStatements } from '../dist/platform/index.js';

const FAMILIES = new URL('explain/', import.meta.url);
const DOCUMENTS = new URL('../docs/sql/', import.meta.url);
const SETTINGS = { fsync: 'off', synchronous_commit: 'off', autovacuum: 'off' };
/** As on the server's connections: one plan for all values of a named statement, no just-in-time compiler. */
const SESSION = '-c TimeZone=UTC -c jit=off -c plan_cache_mode=force_generic_plan';
/** What differs from run to run and from machine to machine, or is said by the rows anyway. */
const NOISE =
  /^ *(Planning Time|Full-sort Groups|Pre-sorted Groups|Index Searches|Heap Fetches|Heap Blocks|Buckets|Cache Mode|Hits|Sort Method|Batches|Storage|Disabled):/;
const TOOK = 'Execution Time: ';

const wanted = process.argv.slice(2);
const known = (await readdir(FAMILIES)).map((file) => file.replace(/\.mjs$/, ''));
const unknown = wanted.filter((name) => !known.includes(name));
if (unknown.length > 0) throw new Error(`No family ${unknown.join(', ')}; there are ${known.join(', ')}`);

const folder = await mkdtemp(join(tmpdir(), 'svc-explain-'));
const postgres = await EmbeddedPostgres.startOrJoin({ dataDir: folder, settings: SETTINGS });
try {
  for (const name of wanted.length > 0 ? wanted : known) {
    const family = await import(new URL(`${name}.mjs`, FAMILIES).href);
    await writeFile(new URL(`${name}.md`, DOCUMENTS), await documentOf(name, family));
    console.log(`docs/sql/${name}.md`);
  }
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

async function documentOf(name, { title, rows, seed, plans }) {
  await onServer(postgres.address, (server) => server.query(`create database explain_${name}`));
  const address = { ...postgres.address, database: `explain_${name}` };
  await migrate(address);
  return onServer(address, async (database) => {
    await database.query(seed);
    await database.query('vacuum analyze');
    const sections = [];
    for (const plan of plans) sections.push(await sectionOf(database, plan));
    const made = `Made by \`node scripts/explain.mjs ${name}\`, with ${rows} Rows are counted, costs and times left out.`;
    return `${[`# ${title}`, made, ...sections].join('\n\n')}\n`;
  });
}

/** A statement is run for its plan only: what it writes is taken back. */
async function sectionOf(database, plan) {
  await database.query('begin');
  const lines = await (plan.ask ? planOfUnnamed(database, plan) : planOfNamed(database, plan));
  await database.query('rollback');
  console.log(`${lines.find((line) => line.startsWith(TOOK))?.slice(TOOK.length)} ${plan.name} ${plan.note ?? ''}`);
  const kept = lines.filter((line) => !NOISE.test(line) && !line.startsWith(TOOK)).join('\n');
  return [`## ${plan.name}`, ...(plan.note ? [plan.note] : []), `\`\`\`\n${kept}\n\`\`\``].join('\n\n');
}

async function planOfNamed(database, { name, values }) {
  const text = declaredStatements().get(name);
  if (text === undefined) throw new Error(`No statement is called ${name}`);
  const literals = values.map((value) => (Array.isArray(value) ? arrayOf(value) : literal(value)));
  await database.query(`prepare explained as ${text}`);
  const run = literals.length > 0 ? `explained(${literals.join(', ')})` : 'explained';
  const lines = await explain(database, `execute ${run}`);
  await database.query('deallocate explained');
  return lines;
}

async function planOfUnnamed(database, { ask }) {
  const sent = [];
  const query = (text, values) => {
    sent.push({ text, values });
    return Promise.resolve([]);
  };
  await ask({ query });
  return explain(database, sent[0].text, sent[0].values);
}

async function explain(database, statement, values = []) {
  const text = `explain (analyze, costs off, timing off, summary on, buffers off) ${statement}`;
  const { rows } = await database.query(text, values);
  return rows.map((row) => row['QUERY PLAN']);
}

function literal(value) {
  return value === null ? 'null' : typeof value === 'string' ? pg.escapeLiteral(value) : String(value);
}

function arrayOf(values) {
  return pg.escapeLiteral(`{${values.map((value) => JSON.stringify(value)).join(',')}}`);
}

async function onServer(address, work) {
  const client = new pg.Client({ ...address, options: SESSION });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
