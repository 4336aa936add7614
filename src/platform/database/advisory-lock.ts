import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { DatabaseAddress } from '../env/database-address.js';

/** Held by the one process of the role `all`, which owns the database and runs the jobs. */
export const ROLE_LOCK = 'svc.role.all';

/** Shared by processes that use the bundled database without owning it. */
export const BORROWERS_LOCK = 'svc.borrowers';

/** The beginning of the application name of servers' sessions, which tells them from those of commands. */
export const SERVER_LOCKS = 'svc locks';

/** The beginning of the application name of commands' sessions. */
export const COMMAND_LOCKS = 'svc ctl';

/** The process that holds a lock, as the application name of its session tells it. */
export interface LockHolder {
  readonly isServer: boolean;
  /** `process 4711`, with the machine when it is another one; empty when it is not known. */
  readonly process: string;
}

const POLL_MS = 200;

/** How a lock is waited for. */
export interface LockWait {
  /** Called once, when another session holds it. */
  readonly onWait?: () => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs `work` under the lock `key`, after waiting for its holder.
 * @throws AbortError when the signal ends the wait
 */
export async function withAdvisoryLock<T>(
  address: DatabaseAddress,
  key: string,
  work: () => Promise<T>,
  { onWait, signal }: LockWait = {},
): Promise<T> {
  await using session = await LockSession.open(address);
  for (let tries = 1; !(await session.tryLock(key)); tries += 1) {
    if (tries === 1) onWait?.();
    await delay(POLL_MS, undefined, { signal });
  }
  return await work();
}

/** Runs `work` under the lock `key`; undefined, without waiting, while another session holds it. */
export async function tryAdvisoryLock<T>(
  address: DatabaseAddress,
  key: string,
  work: () => Promise<T>,
): Promise<T | undefined> {
  await using session = await LockSession.open(address, 'svc work');
  return (await session.tryLock(key)) ? await work() : undefined;
}

/** PostgreSQL cuts longer application names, and says so. */
const LONGEST_NAME = 63;

/** An idle session must stay open, but not longer than the machine at its other end. */
const SESSION_SETTINGS = `
  set statement_timeout = 0; set idle_session_timeout = 0;
  set tcp_keepalives_idle = 30; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3`;

/** The sessions `a` that hold or share one of the locks; `keys` are placeholders. */
export const holdersOf = (...keys: readonly string[]) => `pg_locks l join pg_stat_activity a on a.pid = l.pid
  where l.locktype = 'advisory' and l.objsubid = 1 and l.granted
    and l.database = (select oid from pg_database where datname = current_database())
    and (l.classid::bigint << 32) | l.objid::bigint in (${keys.map((key) => `hashtextextended(${key}, 0)`).join(', ')})`;

const HOLDER = `select a.application_name as name from ${holdersOf('$1')} limit 1`;

/** A connection that only holds locks: its end releases them. */
export class LockSession {
  private constructor(
    readonly client: pg.Client,
    /** Settles when the connection has ended. */
    readonly ended: Promise<void>,
  ) {}

  static async open(address: DatabaseAddress, name = SERVER_LOCKS): Promise<LockSession> {
    const client = new pg.Client({
      ...address,
      application_name: `${name} ${process.pid}@${hostname()}`.slice(0, LONGEST_NAME),
      keepAlive: true,
      keepAliveInitialDelayMillis: 30_000,
      connectionTimeoutMillis: 10_000,
    });
    client.on('error', () => undefined); // the end of the connection reports the same
    const ended = new Promise<void>((resolve) => client.once('end', resolve));
    try {
      await client.connect();
      await client.query(SESSION_SETTINGS);
    } catch (error) {
      await client.end();
      throw error;
    }
    return new LockSession(client, ended);
  }

  /** Takes the lock unless another session holds or shares it. */
  tryLock(key: string): Promise<boolean> {
    return this.ask('select pg_try_advisory_lock(hashtextextended($1, 0)) as yes', key);
  }

  /** Shares the lock unless another session holds it exclusively. */
  tryShare(key: string): Promise<boolean> {
    return this.ask('select pg_try_advisory_lock_shared(hashtextextended($1, 0)) as yes', key);
  }

  /** Who holds or shares the lock, one of several; undefined when nobody does. */
  async holderOf(key: string): Promise<LockHolder | undefined> {
    const { rows } = await this.client.query<{ name: string | null }>(HOLDER, [key]);
    return rows[0] && holderNamed(rows[0].name ?? '');
  }

  /** The process of PostgreSQL that serves it. */
  async process(): Promise<number | undefined> {
    const { rows } = await this.client.query<{ pid: number }>('select pg_backend_pid() as pid');
    return rows[0]?.pid;
  }

  async close(): Promise<void> {
    await this.client.end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  private async ask(text: string, key: string): Promise<boolean> {
    const { rows } = await this.client.query<{ yes: boolean }>(text, [key]);
    return rows[0]?.yes === true;
  }
}

function holderNamed(name: string): LockHolder {
  const [, id, machine = ''] = / (\d+)@(.*)$/.exec(name) ?? []; // another user of the database may not see the name
  const isCut = name.length >= LONGEST_NAME;
  const isHere = isCut ? hostname().startsWith(machine) : machine === hostname();
  const place = isHere ? '' : ` on ${machine}`;
  return { isServer: !name.startsWith(COMMAND_LOCKS), process: id === undefined ? '' : `process ${id}${place}` };
}
