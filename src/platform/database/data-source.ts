import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { availableParallelism } from 'node:os';
import pg from 'pg';
import type { DataSourceOptions, EntitySchema, MigrationInterface } from 'typeorm';
import type { DatabaseAddress } from '../env/database-address.js';
import { tracedClient } from '../tracing/traced-client.js';
import { Tracing } from '../tracing/tracing.js';
import { ChangeLog, UNKNOWN } from './change-log.js';

type Class<T> = new () => T;

/** The application's entities and migrations: explicit lists, since globs hide what is loaded. */
export interface DatabaseContents {
  readonly entities: readonly (Class<object> | EntitySchema)[];
  readonly migrations: readonly Class<MigrationInterface>[];
}

/**
 * Where the triggers of `ChangeReports` (docs/adr/0025) send the subjects of changes: `own` to the session that makes
 * them, for servers; `others` to the servers, as for a session of `psql`.
 */
export type ChangeReports = 'own' | 'others';

/** The error code of notices that report changes; their message is the subjects with spaces between. */
const CHANGE_NOTICE = 'SVC01';
/** Notified by `others`, and by servers that have lost Redis: these name a channel to answer on. */
export const CHANGES = 'svc_changes';

/** Notified by the triggers of `SignInChanges` (docs/adr/0024), and the subject of such a change. */
export const SIGN_INS = 'svc_sign_ins';

/** The application name of a server's connections begins with it; a word of its own follows. */
const SERVER = 'svc server';
/** A server that does not answer for so long hangs, or does not hear: all its connections are in transactions. */
export const ANSWER_MS = 1_000;

const notifyServers = `select pg_notify($1, $2), (
  select count(distinct application_name)::int - 1 from pg_stat_activity
  where datname = current_database() and starts_with(application_name, '${SERVER} ')) as others`;

/** Carries messages for all processes of several servers (`Broadcasts`). */
export const BROADCASTS = 'svc_broadcasts';

/** What every connection listens to. */
const CHANNELS = [SIGN_INS, CHANGES, BROADCASTS] as const;
export type Channel = (typeof CHANNELS)[number];

/** What the options of a data source carry besides those of its connections. */
export interface ConnectionExtra {
  /**
   * Messages of the {@link CHANNELS}, as events with the text of the message and the connection that heard it; each new
   * connection counts as one, without these, since it may have missed some. Of {@link BROADCASTS}, which any
   * connection hears in time, only the first one has missed some.
   */
  readonly messages: EventEmitter;
  /** What changed, for values in memory; null for a process that is no server. */
  readonly changes: ChangeLog | null;
  /** Tells the process from others on the database. */
  readonly server: string;
  /** What a new connection runs first: its settings. PgBouncer refuses those that come with the connection. */
  readonly settings: string;
}

/** A connection that hears messages. */
export interface ListeningClient extends pg.Client {
  /** Calls this as soon as the connection is idle: what it sends comes before the statements of whoever is next. */
  whenIdle(run: () => void): void;
}

/** Where to answer that a change is known, if its message asks for that; undefined for messages of the own server. */
export function askedIn(message: string | undefined, server: string): string | undefined {
  return message?.startsWith('svc_known_') && !message.startsWith(knownChannel(server)) ? message : undefined;
}

/** The beginning of the channels on which a server hears that others know its changes. */
function knownChannel(server: string): string {
  return `svc_known_${server}_`;
}

const STATEMENT_TIMEOUT_MS = 15_000;
const IDLE_IN_TRANSACTION_MS = 20_000;
/** The connections of a process to its database. */
export const POOL_SIZE = Math.max(4, 2 * availableParallelism());
const POOL_WAIT_MS = 5_000;
/** Much longer than any answer takes with the timeout of statements: a machine that vanished closes no connection. */
const ANSWERED_MS = 60_000;
const KEEP_ALIVE_AFTER_MS = 30_000;

/**
 * Settings of every connection. Isolation and time formats must not depend on the operator's settings of the role or
 * the database; the place of the tables (`search_path`) does. Generic plans: otherwise the planner plans each hot
 * statement again and again.
 */
const SETTINGS: readonly (readonly [name: string, value: string])[] = [
  ['statement_timeout', String(STATEMENT_TIMEOUT_MS)], // first: until then that of the role or the database holds
  ['default_transaction_isolation', 'read committed'], // waits for a row and continues with its new content
  ['default_transaction_read_only', 'off'],
  ['standard_conforming_strings', 'on'],
  ['TimeZone', 'UTC'],
  ['DateStyle', 'ISO'],
  ['jit', 'off'],
  ['plan_cache_mode', 'force_generic_plan'],
  ['lock_timeout', '0'], // the statement timeout bounds the wait for a lock too
  ['idle_in_transaction_session_timeout', String(IDLE_IN_TRANSACTION_MS)],
  ['idle_session_timeout', '0'],
  ['client_min_messages', 'notice'], // notices report changes
];

/** The statements that give a connection its settings. */
const settingsFor = (reports: ChangeReports) =>
  [...SETTINGS, ['svc.changes', reports] as const].map(([name, value]) => `set ${name} to '${value}'`).join(';');

/**
 * PostgreSQL's `2024-05-01 10:20:30.1+00` in the form of the API, `2024-05-01T10:20:30.100Z`, without a Date in
 * between.
 */
export function apiTimestamp(text: string): string {
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).slice(0, 3).padEnd(3, '0')}Z`;
}

const asText = (text: string) => text;
const { builtins, getTypeParser } = pg.types;
type TypeId = Parameters<typeof getTypeParser>[0];
const parsers = new Map<number, (text: string) => unknown>([
  [builtins.TIMESTAMPTZ, apiTimestamp],
  [builtins.DATE, asText],
  [builtins.INT8, asText],
]);

/** Type parsers of our connections: times as API strings, dates and 64-bit integers as text. */
export const connectionTypes = {
  getTypeParser: (oid: TypeId, format?: 'text'): unknown => parsers.get(oid) ?? getTypeParser(oid, format),
};

/**
 * A connection whose end is never an uncaught exception. During a handover no listener is attached: TypeORM begins a
 * moment after the pool has stopped; the next statement reports the end. Statements sent together leave in one packet:
 * each packet is a system call here and wakes a process there, as expensive as a small statement.
 */
class PooledClient extends pg.Client implements ListeningClient {
  /** That of PostgreSQL's process; the types of pg lack it. */
  declare readonly processID: number | null;
  /** Whether PostgreSQL has answered all that was sent; the types of pg lack it. */
  declare readonly readyForQuery: boolean;
  private isGathering = false;
  /** What runs when it is idle. */
  private readonly delayed: (() => void)[] = [];
  /** Of one of several servers: statements without an answer. */
  private unanswered = 0;
  /** Pending while the other servers are notified of changes. Rejects when that fails. */
  private publishing: Promise<unknown> | undefined;
  private readonly changes: ChangeLog | null;
  private readonly server: string;

  constructor(config?: pg.ClientConfig & Partial<ConnectionExtra>) {
    super(config);
    this.on('error', () => undefined);
    this.on('drain', () => {
      if (this.delayed.length > 0 && this.isIdle) for (const run of this.delayed.splice(0)) run();
    });
    this.changes = config?.changes ?? null;
    this.server = config?.server ?? '';
    if (this.changes) this.report(this.changes);
  }

  /** Whether a statement that is sent now runs at once, outside of any transaction. */
  private get isIdle(): boolean {
    return this.readyForQuery && this.getTransactionStatus() === 'I';
  }

  whenIdle(run: () => void): void {
    if (this.isIdle) run();
    else this.delayed.push(run);
  }

  /** Notes changes at the end of the transaction that made them, before its statement or commit resolves. */
  private report(changes: ChangeLog): void {
    let made: string[] = [];
    this.on('notice', ({ code, message }) => {
      if (code === CHANGE_NOTICE) made.push(...(message ?? '').split(' '));
    });
    this.on('notification', ({ channel, processId }) => {
      if (channel === SIGN_INS && processId === this.processID) made.push(SIGN_INS);
    });
    this.connection.on('readyForQuery', ({ status }: { status: string }) => {
      if (made.length === 0 || status !== 'I') return;
      changes.note(made);
      if (changes.publish) this.publish(changes.publish(made));
      made = [];
    });
    this.connection.once('end', () => {
      changes.noteAll(); // a commit may have succeeded whose answer is lost
      if (this.unanswered === 0) return;
      changes.noteUnknown();
      void changes.publish?.([UNKNOWN, SIGN_INS]);
    });
  }

  /** Delays the answers of this connection until the other servers know the changes: through PostgreSQL if not by Redis. */
  private publish(isPublished: Promise<boolean>): void {
    const publishing = isPublished.then((isDone) => (isDone ? undefined : this.notifyServers()));
    const end = () => {
      if (this.publishing === publishing) this.publishing = undefined;
    };
    publishing.then(end, end);
    this.publishing = publishing;
  }

  /** Makes the other servers forget everything, and waits for each of them: it may reach Redis still, and use its memory. */
  private async notifyServers(): Promise<void> {
    const channel = `${knownChannel(this.server)}${randomBytes(6).toString('hex')}`;
    const known = new Set<string | undefined>();
    const all = Promise.withResolvers<undefined>();
    let others = Infinity;
    const hear = (message?: pg.Notification) => {
      if (message?.channel === channel) known.add(message.payload);
      if (known.size >= others) all.resolve(undefined);
    };
    const timer = setTimeout(() => all.resolve(undefined), ANSWER_MS);
    this.on('notification', hear);
    try {
      await super.query(`listen ${channel}`);
      const { rows } = await super.query<{ others: number }>(notifyServers, [CHANGES, channel]);
      others = rows[0]?.others ?? 0;
      hear();
      await all.promise;
      await super.query(`unlisten ${channel}`);
    } finally {
      clearTimeout(timer);
      this.off('notification', hear);
    }
  }

  override query(...args: never[]): never {
    this.gather();
    if (!this.changes?.publish) return this.send(args) as never;
    this.unanswered += 1;
    const [done] = args.slice(-1) as unknown[]; // a callback; without one the answer is a promise
    if (typeof done !== 'function') return this.afterPublishing(this.send(args) as Promise<unknown>) as never;
    const callback = done as (error: unknown, result?: unknown) => void;
    const answer = new Promise((resolve, reject) => {
      this.send([
        ...args.slice(0, -1),
        (error: Error | null, result: unknown) => (error ? reject(error) : resolve(result)),
      ]);
    });
    this.afterPublishing(answer).then((result) => callback(null, result), callback);
    return undefined as never;
  }

  private send(args: readonly unknown[]): unknown {
    return (super.query as (...args: unknown[]) => unknown)(...args);
  }

  private async afterPublishing<T>(answer: Promise<T>): Promise<T> {
    try {
      const result = await answer;
      await this.publishing;
      return result;
    } finally {
      this.unanswered -= 1;
    }
  }

  /** Delays writes until the current event is done. */
  private gather(): void {
    if (this.isGathering) return;
    this.isGathering = true;
    const { stream } = this.connection;
    stream.cork();
    process.nextTick(() => {
      this.isGathering = false;
      stream.uncork();
    });
  }
}

/** TypeORM options for an address: one function for the server, `ctl`, tests and the TypeORM command line. */
export function dataSourceOptions(
  address: DatabaseAddress,
  contents: DatabaseContents,
  reports: ChangeReports = 'others',
  tracing = new Tracing(),
): DataSourceOptions {
  const messages = new EventEmitter();
  const changes = reports === 'own' ? new ChangeLog() : null;
  const server = randomBytes(6).toString('hex');
  const settings = settingsFor(reports);
  // A new connection is no change, but what it reads may be older than a change that others have told.
  messages.on(CHANGES, (text?: string) => (text === undefined ? changes?.noteAll() : changes?.noteUnknown()));
  return {
    type: 'postgres',
    host: address.host,
    port: address.port,
    username: address.user,
    password: address.password,
    database: address.database,
    ...(address.ssl === undefined ? {} : { ssl: address.ssl }),
    applicationName: changes ? `${SERVER} ${server}` : 'svc',
    entities: [...contents.entities],
    migrations: [...contents.migrations],
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
    synchronize: false,
    installExtensions: false,
    poolSize: POOL_SIZE,
    connectTimeoutMS: POOL_WAIT_MS,
    poolErrorHandler: () => undefined, // the next use replaces a lost idle connection
    extra: {
      Client: tracing.isOn ? tracedClient(PooledClient, tracing) : PooledClient,
      pipeline: true,
      min: POOL_SIZE,
      idleTimeoutMillis: 0,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
      ...(changes && { query_timeout: ANSWERED_MS }), // migrations and commands lift the timeout of their statements
      types: connectionTypes,
      messages,
      changes,
      server,
      settings,
      onConnect: listener(messages, settings),
    },
  };
}

/** Gives new connections their settings, and makes them listen. */
function listener(messages: EventEmitter, settings: string): (client: ListeningClient) => Promise<void> {
  let listening = 0;
  return async (client) => {
    client.on('notification', ({ channel, payload }) => messages.emit(channel, payload, client));
    await client.query([settings, ...CHANNELS.map((channel) => `listen ${channel}`)].join(';'));
    listening += 1;
    client.once('end', () => (listening -= 1));
    for (const channel of CHANNELS) if (channel !== BROADCASTS || listening === 1) messages.emit(channel);
  };
}
