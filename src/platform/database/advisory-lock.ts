import pg from 'pg';
import type { DatabaseAddress } from '../env/database-address.js';

/** Held by the one process of the role `all`, which owns the database and runs the jobs. */
export const ROLE_LOCK = 'svc.role.all';

/** Shared by processes that use the bundled database without owning it. */
export const BORROWERS_LOCK = 'svc.borrowers';

/** The application name of servers' sessions, which tells them from those of commands. */
export const SERVER_LOCKS = 'svc locks';

/** Runs `work` under the lock `key`, after waiting for its holder. */
export async function withAdvisoryLock<T>(address: DatabaseAddress, key: string, work: () => Promise<T>): Promise<T> {
  await using session = await LockSession.open(address);
  await session.lock(key);
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

/** An idle session must stay open, but not longer than the machine at its other end. */
const SESSION_SETTINGS = `
  set statement_timeout = 0; set lock_timeout = 0; set idle_session_timeout = 0;
  set tcp_keepalives_idle = 30; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3`;

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
      application_name: name,
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

  /** Takes the lock after waiting for all holders and sharers. */
  async lock(key: string): Promise<void> {
    await this.client.query('select pg_advisory_lock(hashtextextended($1, 0))', [key]);
  }

  /** Takes the lock unless another session holds or shares it. */
  tryLock(key: string): Promise<boolean> {
    return this.ask('select pg_try_advisory_lock(hashtextextended($1, 0)) as yes', key);
  }

  /** Shares the lock unless another session holds it exclusively. */
  tryShare(key: string): Promise<boolean> {
    return this.ask('select pg_try_advisory_lock_shared(hashtextextended($1, 0)) as yes', key);
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
