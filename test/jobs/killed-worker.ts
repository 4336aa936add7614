import { fileURLToPath } from 'node:url';
import type { Program, Scratch } from '../process/scratch.js';
import { eventually } from '../support/eventually.js';
import { letter } from './notebook.js';
import { Office } from './office.js';

const PROGRAM = fileURLToPath(new URL('programs/worker.mjs', import.meta.url));
const SOURCE = { SECRET_KEY: 'ab'.repeat(32), DATABASE_URL: 'postgres://svc@given.elsewhere/svc', LOG_LEVEL: 'silent' };
const LETTERS = 400;

const makeRuns = `create table runs (
  id int generated always as identity, text text not null, worker int not null,
  started_at timestamptz not null default clock_timestamp(), ended_at timestamptz)`;

/** A test with real worker processes, one of which is killed. `environment` gives the variables of the processes. */
export function killedWorkerCase(scratch: Scratch, environment: () => Record<string, string>): void {
  it('J2 of a killed worker run again elsewhere: no job is lost, and none runs twice at the same time', async () => {
    await using office = await Office.open(environment());
    const start = () => startWorker(scratch, office, environment());
    await office.sql(makeRuns);
    await office.sql('create table gate (opened_at timestamptz default now())');
    const [victim, survivor] = await Promise.all([start(), start()]);
    await office.enqueueAll(
      Array.from({ length: LETTERS }, (_, at) => `letter ${at}`),
      letter,
    );
    const count = async (what: string) =>
      (await office.sql<{ n: number }>(`select count(*)::int as n from ${what}`))[0]?.n;
    const letters = `jobs where name = 'test.letter'`;
    // more than the first 20, so that some wait at the gate
    await eventually(async () => expect(await count(`runs where worker = ${victim.pid}`)).toBeGreaterThan(20));
    await victim.stop('SIGKILL');
    await office.sql('insert into gate default values');

    // the other worker does the rest; the killed worker's jobs wait for the end of their leases
    await eventually(async () => expect(await count('jobs where run_at <= now()')).toBe(0));
    expect(await survivor.stop()).toBe(0);
    expect(await count(letters)).toBeGreaterThan(0);
    await office.makeDue();
    const heir = await start();
    await eventually(async () => expect(await count(letters)).toBe(0));
    expect(await heir.stop()).toBe(0);

    expect(await count('(select distinct text from runs where ended_at is not null) as written')).toBe(LETTERS);
    // some ended jobs of the killed worker ran again, one after the other
    const twice = 'runs a join runs b on a.text = b.text and a.id < b.id';
    expect(await count(`${twice} where a.worker <> ${victim.pid} or b.worker <> ${heir.pid}`)).toBe(0);
    expect(await count(`${twice} where b.started_at < a.ended_at`)).toBe(0);
  });
}

/** A real process that works on the jobs of the office. */
export async function startWorker(
  scratch: Scratch,
  { platform }: Office,
  environment: Record<string, string>,
): Promise<Program> {
  const program = scratch.run(process.execPath, [PROGRAM, JSON.stringify(platform.address)], {
    env: { ...SOURCE, ...environment },
  });
  await program.line(/^WORKING$/);
  return program;
}
