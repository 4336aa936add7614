import { setTimeout as delay } from 'node:timers/promises';
import type { Env } from '../env/env.js';
import { messageOf, StartError } from '../env/errors.js';
import type { DatabaseAddress } from '../env/database-address.js';
import { BORROWERS_LOCK, type LockHolder, LockSession, ROLE_LOCK } from './advisory-lock.js';
import { databaseExists, databaseSource, isAway, type DatabaseSource, type OpenDatabase } from './database-source.js';

export interface HoldOptions {
  env: Pick<Env, 'databaseUrl' | 'dataDir'>;
  log: (line: string) => void;
  /** Ends the wait for the database. */
  signal?: AbortSignal;
  /** The name of the session in the database, when it is not a server's. */
  sessionName?: string;
  /** How long to wait for another server, or for a database that does not answer; 30 s. */
  waitMs?: number;
}

/** A database in use by a process that does not own it. */
export interface BorrowedDatabase {
  readonly address: DatabaseAddress;
  /** Returns it; stops the bundled one if no other process uses it. */
  release(): Promise<void>;
}

const WAIT_MS = 30_000;
const POLL_MS = 100;
const RETRY_MS = 1_000;

/**
 * Takes the database for this process alone: starts the bundled one and takes the role lock, after waiting for another
 * server to end.
 * @throws StartError when the other server stays, or the database does not start, answer or accept the login
 */
export async function leaseDatabase(options: HoldOptions): Promise<DatabaseLease> {
  const source = databaseSource(options.env, options.log);
  const lock = (signal?: AbortSignal) => lockDatabase(source, new Wait(options, signal), options.sessionName);
  return new DatabaseLease(await lock(options.signal), lock, options.log);
}

/**
 * For commands on a server's existing data: a missing database means a mistyped folder.
 * @throws StartError when there is no bundled database, and no other is named
 */
export function requireDatabase(env: Pick<Env, 'databaseUrl' | 'dataDir'>): void {
  if (databaseExists(env)) return;
  throw new StartError(
    `There is no database in ${env.dataDir}: set DATA_DIR as the server has it, or start the server once.`,
  );
}

/** Joins the database or starts it, for one operator command and beside a server that may own it. */
export function attachDatabase(options: HoldOptions): Promise<BorrowedDatabase> {
  const source = databaseSource(options.env, options.log);
  const wait = new Wait(options, options.signal);
  return whenThere(source, wait, async (database) => {
    const share = async (session: LockSession) => {
      while (!(await session.tryShare(BORROWERS_LOCK))) {
        const holder = await session.holderOf(BORROWERS_LOCK);
        await wait.pause(holder?.isServer === false ? occupied(source.name, holder) : stopping(source.name, holder));
      }
    };
    const lock = await lockIn(database, share, options.sessionName);
    const release = () => lock.close().then(() => database.leave());
    return { address: database.address, release };
  });
}

/**
 * Takes a database for an operator command that fills or moves it, while no server and no other command uses it.
 * @throws StartError when one does
 */
export async function claimDatabase(options: HoldOptions): Promise<BorrowedDatabase> {
  const source = databaseSource(options.env, options.log);
  const wait = new Wait({ ...options, waitMs: 0 }, options.signal);
  return whenThere(source, wait, async (database) => {
    const claim = async (session: LockSession) => {
      for (const key of [ROLE_LOCK, BORROWERS_LOCK])
        if (!(await session.tryLock(key))) throw inUse(source.name, await session.holderOf(key));
    };
    const lock = await lockIn(database, claim, options.sessionName);
    const release = () => database.stop().then(() => lock.close());
    return { address: database.address, release };
  });
}

/** The holder is unknown when it ended at this moment. */
function inUse(name: string, holder: LockHolder | undefined): StartError {
  const user = holder ? (holder.isServer ? 'A server' : 'A command') : 'A server or a command';
  return new StartError(`${user} uses ${name}${inBrackets(holder)}. Stop it first.`);
}

/** Why a process has to wait for `holder`. */
function occupied(name: string, holder: LockHolder | undefined): string {
  if (holder?.isServer === false) return `A command has ${name} for itself${inBrackets(holder)}`;
  return `Another server runs on ${name}${inBrackets(holder)}`;
}

function stopping(name: string, holder: LockHolder | undefined): string {
  return `Another process stops ${name}${inBrackets(holder)}`;
}

function inBrackets(holder: LockHolder | undefined): string {
  return holder && holder.process !== '' ? ` (${holder.process})` : '';
}

/** The role lock and its database. */
interface LeasedDatabase {
  readonly database: OpenDatabase;
  readonly lock: LockSession;
}

/** Another server owns the database. */
class DatabaseLockedError extends StartError {
  constructor(message: string) {
    super(`${message}. Stop it first, or give this server a database of its own.`);
  }
}

/** The database while this process owns it. A lost one is taken, and if needed started, again. */
export class DatabaseLease {
  /** Stays the same across restarts of the database. */
  readonly address: DatabaseAddress;
  private readonly releasing = new AbortController();
  private readonly listeners: ((reason: Error) => void)[] = [];
  private readonly life: Promise<void>;

  constructor(
    first: LeasedDatabase,
    private readonly lock: (signal: AbortSignal) => Promise<LeasedDatabase>,
    private readonly log: (line: string) => void,
  ) {
    this.address = first.database.address;
    this.life = this.renewLease(first);
  }

  /** Calls `listener` when another server took the database and keeps it: this process must end. */
  onLost(listener: (reason: Error) => void): void {
    this.listeners.push(listener);
  }

  /** Stops the bundled database, whoever started it, which ends the role lock; leaves another one running. */
  release(): Promise<void> {
    this.releasing.abort();
    return this.life;
  }

  private async renewLease(first: LeasedDatabase): Promise<void> {
    const { signal } = this.releasing;
    const released = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    for (let leased: LeasedDatabase | undefined = first; leased; leased = await this.leaseAgain()) {
      await Promise.race([leased.lock.ended, released]);
      if (signal.aborted) {
        await leased.database.stop();
        await leased.lock.close();
        return;
      }
    }
  }

  private async leaseAgain(): Promise<LeasedDatabase | undefined> {
    const { signal } = this.releasing;
    this.log('The database has gone; taking it again');
    for (;;) {
      try {
        const leased = await this.lock(signal);
        this.log('The database is back');
        return leased;
      } catch (error) {
        if (signal.aborted) return undefined;
        if (error instanceof DatabaseLockedError) {
          for (const listener of this.listeners) listener(error);
          return undefined;
        }
        this.log(messageOf(error));
      }
      await delay(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

function lockDatabase(source: DatabaseSource, wait: Wait, sessionName?: string): Promise<LeasedDatabase> {
  return whenThere(source, wait, async (database) => {
    const own = async (session: LockSession) => {
      while (!(await session.tryLock(ROLE_LOCK)))
        await wait.pause(occupied(source.name, await session.holderOf(ROLE_LOCK)), DatabaseLockedError);
    };
    const lock = await lockIn(database, own, sessionName);
    return { database, lock };
  });
}

/** Opens the database and uses it; starts over when it goes away meanwhile, for example because its owner ends. */
async function whenThere<T>(
  source: DatabaseSource,
  wait: Wait,
  use: (database: OpenDatabase) => Promise<T>,
): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await use(await source.open(wait.signal));
    } catch (error) {
      if (wait.signal?.aborted || !isAway(error)) throw error;
      if (failures > 1) await wait.pause(`No answer from ${source.name} (${messageOf(error)})`);
    }
  }
}

/** A session for a lock in `database`; closed when the lock is not available. */
async function lockIn(
  database: OpenDatabase,
  lock: (session: LockSession) => Promise<void>,
  sessionName?: string,
): Promise<LockSession> {
  const session = await LockSession.open(database.address, sessionName);
  try {
    await lock(session);
    return session;
  } catch (error) {
    await session.close();
    await database.leave();
    throw error;
  }
}

/** A bounded wait: reports its reason once, and gives up at the end. */
class Wait {
  private readonly logged = new Set<string>();
  private readonly log: (line: string) => void;
  private readonly waitMs: number;
  private deadline: number | undefined;

  constructor(
    { log, waitMs = WAIT_MS }: Pick<HoldOptions, 'log' | 'waitMs'>,
    readonly signal: AbortSignal | undefined,
  ) {
    this.log = log;
    this.waitMs = waitMs;
  }

  /** @throws GiveUp after the time, the signal's reason when it is aborted */
  async pause(reason: string, GiveUp: new (message: string) => StartError = StartError): Promise<void> {
    const seconds = this.waitMs / 1_000;
    this.deadline ??= performance.now() + this.waitMs;
    if (performance.now() >= this.deadline) throw new GiveUp(`${reason}; gave up after ${seconds} s`);
    if (!this.logged.has(reason)) this.log(`${reason}, waiting up to ${seconds} s`);
    this.logged.add(reason);
    await delay(POLL_MS, undefined, this.signal ? { signal: this.signal } : {});
  }
}
