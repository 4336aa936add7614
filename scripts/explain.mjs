// Documents how PostgreSQL runs a family's statements on many rows: after `npm run build`, `node scripts/explain.mjs
// relations` makes docs/sql/relations.md from scripts/explain/relations.mjs, on a throw-away bundled PostgreSQL. Without a
// name it does so for every family.
//
// A family exports
//   title      a line on the purpose of its statements
//   rows       a line on the content of the tables
//   seed       SQL that fills the migrated, empty database; always the same rows
//   plans      [{ name, values, note? }]: declared statements with their values; or
//              [{ name, ask, note? }]: `ask(db)` has a repository send its unnamed statement, which is planned for its values
//              A statement that writes many rows in a job may say `isJob`: it has a higher limit
//   timed      more of these, which are run but not documented; one with `unlessFilled` is run where the statement of that
//              name, with the same values, returns less than a page
//
// The CPU milliseconds of each are printed on the terminal only, the least of three runs. Besides, every declared statement
// is planned on the rows of every family; those that read a large table from end to end are named, which is right for jobs
// on whole tables, and where all rows are of a few accounts or threads. The last lines name statements above the limit, if
// there are any, and the process exits with 1 then.
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import '../dist/app.module.js';
import { migrate } from '../dist/migrate.js';
import { EmbeddedPostgres } from '../dist/platform.embedded.embedded.js';
import { declaredStatements } from '../dist/platform.index.js';

const FAMILIES = new URL('explain/', import.meta.url);
const DOCUMENTS = new URL('../docs/sql/', import.meta.url);
const SETTINGS = { fsync: 'off', synchronous_commit: 'off', autovacuum: 'off' };
/** The settings of the server's connections: one plan for all values of a named statement, no just-in-time compiler. */
const SESSION =
  '-c TimeZone=UTC -c jit=off -c plan_cache_mode=force_generic_plan -c log_executor_stats=on -c client_min_messages=log';
/** Parts of a plan that differ between runs and machines, or repeat the rows. */
const NOISE =
  /^ *(Planning Time|Execution Time|Full-sort Groups|Pre-sorted Groups|Index Searches|Heap Fetches|Heap Blocks|Buckets|Cache Mode|Hits|Sort Method|Batches|Storage|Disabled):/;
const RUNS = 3;
/** The limit of a request's statement in milliseconds. */
const LIMIT = 20;
/** Rows of a full page. */
const PAGE = 40;
/** The limit of a job's statement. */
const JOB_LIMIT = 100;
/** A table with more rows than this is large. */
const LARGE = 10_000;
const CPU = /([\d.]+) s user, ([\d.]+) s system/;

const wanted = process.argv.slice(2);
const known = (await readdir(FAMILIES)).map((file) => file.replace(/\.mjs$/, ''));
const unknown = wanted.filter((name) => !known.includes(name));
if (unknown.length > 0) throw new Error(`No family ${unknown.join(', ')}; there are ${known.join(', ')}`);

/** The cost of each: name and note, milliseconds, whether a job sends it. */
const taken = [];
/** Statements that read large tables from end to end, with these tables and the family. */
const whole = new Set();
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

const slow = taken.filter(({ ms, isJob }) => ms >= (isJob ? JOB_LIMIT : LIMIT));
for (const { title, ms } of slow) console.log(`${ms.toFixed(1)} ms ${title}`);
for (const reading of whole) console.log(reading);
console.log(`${taken.length} statements, ${slow.length} above ${LIMIT} ms`);
process.exitCode = slow.length > 0 ? 1 : 0;

async function documentOf(name, { title, rows, seed, plans, timed = [] }) {
  await onServer(postgres.address, (server) => server.query(`create database "explain_${name}"`));
  const address = { ...postgres.address, database: `explain_${name}` };
  await migrate(address);
  return onServer(address, async (database) => {
    await database.query(seed);
    await database.query('vacuum analyze');
    const sections = [];
    for (const plan of plans) sections.push(await sectionOf(database, plan));
    for (const plan of timed) if (!(await isFilled(database, plan))) await measured(database, plan);
    await noteWholeReads(database, name);
    const made = `Made by \`node scripts/explain.mjs ${name}\`, with ${rows} Rows are counted, costs and times left out.`;
    return `${[`# ${title}`, made, ...sections].join('\n\n')}\n`;
  });
}

/** Plans each declared statement, and notes those that read a large table from end to end. */
async function noteWholeReads(database, family) {
  const { rows } = await database.query(`select relname from pg_class where relkind = 'r' and reltuples > ${LARGE}`);
  const large = new Set(rows.map(({ relname }) => relname));
  for (const [name, text] of declaredStatements()) {
    if (!/^\s*(select|with|insert|update|delete)/i.test(text)) continue;
    const explained = await database.query(`explain (generic_plan) ${text}`);
    for (const { 'QUERY PLAN': line } of explained.rows) {
      const [, table] = /Seq Scan on (\w+)/.exec(line) ?? [];
      if (large.has(table)) whole.add(`${name} reads all of ${table} (${family})`);
    }
  }
}

async function sectionOf(database, plan) {
  const kept = (await measured(database, plan)).filter((line) => !NOISE.test(line)).join('\n');
  return [`## ${plan.name}`, ...(plan.note ? [plan.note] : []), `\`\`\`\n${kept}\n\`\`\``].join('\n\n');
}

/** Whether the first of two statements returns a full page, so that the second is not sent. */
async function isFilled(database, { unlessFilled, values }) {
  if (unlessFilled === undefined) return false;
  await database.query(`prepare first as ${declaredStatements().get(unlessFilled)}`);
  const { rows } = await database.query(`execute first(${values.map(literal).join(', ')})`);
  await database.query('deallocate first');
  return rows.length === PAGE;
}

/** The plan of a statement, which runs in a transaction that is rolled back. */
async function measured(database, plan) {
  const times = [];
  const note = ({ detail = '' }) => {
    const [, user, system] = CPU.exec(detail) ?? [];
    if (user !== undefined) times.push((Number(user) + Number(system)) * 1_000);
  };
  let lines;
  for (let run = 0; run < RUNS; run += 1) {
    await database.query('begin');
    lines = await (plan.ask ? planOfUnnamed(database, plan, note) : planOfNamed(database, plan, note));
    await database.query('rollback');
  }
  const ms = Math.min(...times);
  const title = [plan.name, plan.note].filter(Boolean).join(' ');
  taken.push({ title, ms, isJob: plan.isJob === true });
  console.log(`${ms.toFixed(1)} ms ${title}`);
  return lines;
}

async function planOfNamed(database, { name, values }, note) {
  const text = declaredStatements().get(name);
  if (text === undefined) throw new Error(`No statement is called ${name}`);
  const literals = values.map(literal);
  await database.query(`prepare explained as ${text}`);
  const run = literals.length > 0 ? `explained(${literals.join(', ')})` : 'explained';
  await database.query(`explain execute ${run}`); // a connection plans a named statement once: only its first request there waits for it
  const lines = await explain(database, `execute ${run}`, [], note);
  await database.query('deallocate explained');
  return lines;
}

async function planOfUnnamed(database, { ask }, note) {
  const sent = [];
  const query = (text, values) => {
    sent.push({ text, values });
    return Promise.resolve([]);
  };
  await ask({ query });
  return explain(database, sent[0].text, sent[0].values, note);
}

/** `note` receives the statement's cost. */
async function explain(database, statement, values, note) {
  const text = `explain (analyze, costs off, timing off, buffers off) ${statement}`;
  database.on('notice', note);
  const { rows } = await database.query(text, values);
  database.off('notice', note);
  return rows.map((row) => row['QUERY PLAN']);
}

function literal(value) {
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map((item) => JSON.stringify(item)).join(',')}}`);
  return value === null ? 'null' : typeof value === 'string' ? pg.escapeLiteral(value) : String(value);
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
