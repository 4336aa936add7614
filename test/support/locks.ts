import pg from 'pg';
import { Database } from '../../src/platform/index.js';
import type { TestApp } from './servers/app.js';

const PATIENCE_MS = 30_000;
const REST = 'idle_in_transaction_session_timeout';

/** Resolves when `count` others wait for a lock of the client; fails after a timeout. */
export async function waitersOf(holder: pg.Client, count: number): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  for (let waiting = 0; waiting < count;) {
    if (Date.now() > deadline) expect({ waiting }).toEqual({ waiting: count });
    await holder.query('select pg_stat_clear_snapshot()'); // the snapshot of a transaction never changes
    const { rows } = await holder.query<{ waiting: number }>(
      `select count(*)::int as waiting from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and pid <> pg_backend_pid()`,
    );
    waiting = rows[0]!.waiting;
  }
}

/** Runs work on its own connection, in a transaction that the work ends. */
export async function holding<T>(app: TestApp, work: (holder: pg.Client) => Promise<T>): Promise<T> {
  const holder = new pg.Client(app.address);
  await holder.connect();
  try {
    await holder.query('begin');
    return await work(holder);
  } finally {
    await holder.end();
  }
}

/** How long the open unit of work may rest, as PostgreSQL says it: for a look from within. */
export async function restOf(app: TestApp): Promise<string | undefined> {
  const rows = await app.get(Database).query<{ rest: string }>(`select current_setting('${REST}') as rest`);
  return rows[0]?.rest;
}

/** Ends the connection of the open unit of work, which cannot be committed then. */
export async function killOwnConnection(app: TestApp): Promise<void> {
  const [own] = await app.get(Database).query<{ pid: number }>('select pg_backend_pid() as pid');
  await holding(app, (other) => other.query('select pg_terminate_backend($1, 10000)', [own?.pid]));
}
