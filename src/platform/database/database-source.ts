import pg from 'pg';
import type { Env } from '../env/env.js';
import { messageOf, StartError } from '../env/errors.js';
import { parseDatabaseUrl, type DatabaseAddress } from '../env/database-address.js';
import { bracketed } from '../urls/urls.js';
import { BORROWERS_LOCK, LockSession, ROLE_LOCK } from './advisory-lock.js';
import { EmbeddedPostgres } from '../embedded/embedded.js';
import { hasCluster } from '../embedded/embedded-cluster.js';

/** PostgreSQL 15, as `server_version_num` counts. */
const OLDEST_VERSION = 150_000;

/** A database that accepts connections. */
export interface OpenDatabase {
  readonly address: DatabaseAddress;
  /** Stops it, as its owner, which holds the role lock. */
  stop(): Promise<void>;
  /** Stops it, as another process, if no process uses it. */
  leave(): Promise<void>;
}

/** The source of the process's database. */
export interface DatabaseSource {
  /** The name in messages. */
  readonly name: string;
  /** Starts it if possible. */
  open(signal?: AbortSignal): Promise<OpenDatabase>;
}

/** The bundled PostgreSQL in DATA_DIR, or the one that DATABASE_URL names. */
export function databaseSource(env: Pick<Env, 'databaseUrl' | 'dataDir'>, log: (line: string) => void): DatabaseSource {
  return env.databaseUrl === undefined ? new BundledSource(env.dataDir, log) : new ExternalSource(env.databaseUrl);
}

/** Whether the database exists: one that DATABASE_URL names, or the bundled one in DATA_DIR, running or not. */
export function databaseExists(env: Pick<Env, 'databaseUrl' | 'dataDir'>): boolean {
  return env.databaseUrl !== undefined || hasCluster(env.dataDir);
}

class BundledSource implements DatabaseSource {
  /** The address of the first server; a later one replaces it at the same place, so that the address stays valid. */
  private socketDir: string | undefined;

  constructor(
    readonly name: string,
    private readonly log: (line: string) => void,
  ) {}

  async open(signal?: AbortSignal): Promise<OpenDatabase> {
    const server = await EmbeddedPostgres.startOrJoin({
      dataDir: this.name,
      log: this.log,
      ...(this.socketDir === undefined ? {} : { socketDir: this.socketDir }),
      ...(signal ? { signal } : {}),
    });
    this.socketDir ??= server.address.host;
    return { address: server.address, stop: () => server.stop(), leave: () => stopUnused(server) };
  }
}

/** Stops the server unless a process owns or borrows it. */
async function stopUnused(server: EmbeddedPostgres): Promise<void> {
  await using session = await unlessAway(LockSession.open(server.address));
  if (session && (await unlessAway(isUnused(session)))) await server.stop();
}

/** From then on no process can begin to use the server while the session lasts. */
async function isUnused(session: LockSession): Promise<boolean> {
  return (await session.tryLock(ROLE_LOCK)) && (await session.tryLock(BORROWERS_LOCK));
}

/** The result, or undefined when another process stops the server at this moment. */
async function unlessAway<T>(asking: Promise<T>): Promise<T | undefined> {
  try {
    return await asking;
  } catch (error) {
    if (!isAway(error)) throw error;
    return undefined;
  }
}

class ExternalSource implements DatabaseSource {
  readonly name: string;
  private readonly address: DatabaseAddress;
  /** Asked once: taking a lost database again needs one connection at a time. */
  private hasOwnSessions = false;

  constructor(url: string) {
    this.address = parseDatabaseUrl(url);
    this.name = `the database ${this.address.database} at ${bracketed(this.address.host)}:${this.address.port}`;
  }

  async open(): Promise<OpenDatabase> {
    await this.requireUsable();
    const nothing = () => Promise.resolve();
    return { address: this.address, stop: nothing, leave: nothing };
  }

  /** Other encodings cannot store every text, or cut words in the middle of a character. */
  private async requireUsable(): Promise<void> {
    await using session = await this.connect();
    const { rows } = await session.client.query<{ number: number; version: string; encoding: string }>(
      `select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
         current_setting('server_encoding') as encoding`,
    );
    const { number = 0, version = 'no version', encoding = 'none' } = rows[0] ?? {};
    if (number < OLDEST_VERSION) throw new StartError(`PostgreSQL 15 or newer is needed; ${this.name} has ${version}.`);
    if (encoding !== 'UTF8') throw new StartError(`A database in UTF8 is needed; ${this.name} is in ${encoding}.`);
    await this.requireOwnSession(session);
  }

  /** Asks in turn: a pooler gives the sessions that are free to whoever asks. */
  private async requireOwnSession(session: LockSession): Promise<void> {
    if (this.hasOwnSessions) return;
    await using other = await this.connect();
    const [own, others] = [new Set(), new Set()];
    for (let turns = 0; turns < 3; turns += 1) {
      own.add(await session.process());
      others.add(await other.process());
    }
    if (own.size > 1 || others.size > 1 || [...own].some((each) => others.has(each)))
      throw new StartError(
        `Connections to ${this.name} share sessions, as those of PgBouncer in transaction mode do: use its session mode.`,
      );
    this.hasOwnSessions = true;
  }

  private async connect(): Promise<LockSession> {
    try {
      return await LockSession.open(this.address);
    } catch (error) {
      if (isAway(error)) throw error;
      throw new StartError(`Refused by ${this.name}: ${messageOf(error)}`, { cause: error });
    }
  }
}

/** True when the database did not answer or is starting or stopping; it may answer later. */
export function isAway(error: unknown): boolean {
  if (error instanceof StartError) return false;
  if (!(error instanceof pg.DatabaseError)) return true;
  return /^(08|57P|53300)/.test(error.code ?? '');
}
