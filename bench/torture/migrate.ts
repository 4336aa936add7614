import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { type Program, Scratch, until } from '../../test/process/scratch.ts';
import { schemaText } from '../../test/support/schema-text.ts';
import { SECRET_KEY, Stage } from '../stage.ts';
import { type Kind, type Outcome, type Run, when } from './kind.ts';
import { afterSomeMigrations, contentOf, dumps, lessThan } from './old-databases.ts';

/**
 * Databases of older versions: in turn a dump of one and what the first so many migrations leave. In each round a server
 * and an operator command bring one up to date at the same time, and are killed in the middle of a migration; then both
 * begin again.
 */
export const migrate: Kind = {
  rounds: 20,
  short: 2,
  async *run(run) {
    yield await killedMigrations(run);
  },
};

async function killedMigrations(run: Run): Promise<Outcome> {
  await using undo = new AsyncDisposableStack();
  const stage = undo.use(await Stage.build(run.signal, { root: run.root }));
  const scratch = new Scratch();
  undo.defer(() => scratch.remove());
  const dumped = dumps();
  const schema = readFileSync(join(run.root, 'docs/schema.sql'), 'utf8');
  const wrong: string[] = [];
  let killed = 0;
  for (let round = 0; round < run.rounds && !run.signal.aborted; round += 1) {
    const isDump = round % 2 === 0;
    const old = isDump ? dumped[(round / 2) % dumped.length]! : afterSomeMigrations(run.chance);
    const name = `old_${round}`;
    await stage.sql.query(`create database ${name}`);
    const address = { ...stage.address, database: name };
    await old.fill(address);
    const sql = new pg.Client(address);
    await sql.connect();
    const before = await contentOf(sql);
    const environment = {
      DATABASE_URL: stage.databaseUrl.replace(/\/[^/?]*\?/, `/${name}?`),
      DATA_DIR: scratch.dataDir(),
      BASE_URL: 'http://bench.test',
      SECRET_KEY,
      PORT: '0',
      LOG_LEVEL: 'error',
    };
    const start = (program: string, ...words: string[]): Program =>
      scratch.run(process.execPath, [join(run.root, 'dist', program), ...words], { env: environment });
    if (await killInside(sql, [start('main.js'), start('ctl.js', 'migrate')])) killed += 1;
    const [server, command] = [start('main.js'), start('ctl.js', 'migrate')];
    const said = await server.line(/ is ready at /).catch(String);
    if (!said.includes(' is ready at ')) wrong.push(`from ${old.name}: ${said}`);
    const code = await command.ended;
    if (code !== 0) wrong.push(`from ${old.name} the command ended with ${code}: ${command.lines[0]}`);
    const end = await server.stop();
    if (end !== 0) wrong.push(`from ${old.name} the server ended with ${end}: ${server.lines.at(-1)}`);
    const comparable = isDump ? withoutBrackets : (text: string) => text;
    if (comparable(await schemaText(sql)) !== comparable(schema)) wrong.push(`from ${old.name} comes another schema`);
    const after = await contentOf(sql);
    for (const what of lessThan(before, after)) wrong.push(`from ${old.name}: ${what}`);
    await sql.end();
    await stage.sql.query(`drop database ${name} with (force)`);
  }
  return {
    figures: { 'killed inside a migration': killed, failures: wrong.length },
    violations: [...wrong, ...when(killed === 0, 'none was killed inside a migration: the run proves nothing')],
  };
}

/** PostgreSQL writes `((a or b) or c)` as `(a or b or c)` when it has read the condition from a dump. */
function withoutBrackets(schema: string): string {
  return schema.replaceAll(/[()]/g, '');
}

/** Kills programs while a migration of one of them waits for a table; returns false when none touches it. */
async function killInside(sql: pg.Client, programs: readonly Program[]): Promise<boolean> {
  await sql.query('begin; lock table accounts, statuses in access share mode');
  let isOver = false;
  void Promise.any(programs.map(({ ended }) => ended)).then(() => (isOver = true));
  const wait = `select 1 from pg_locks where not granted and locktype = 'relation'`;
  const isReady = () => programs.some(({ text }) => text.includes(' is ready at '));
  const inside = await until('a migration that waits', async () => {
    const { rows } = await sql.query(wait);
    return rows.length > 0 ? 'inside' : isOver || isReady() ? 'over' : undefined;
  });
  await Promise.all(programs.map((program) => program.stop('SIGKILL')));
  await sql.query('commit');
  return inside === 'inside';
}
