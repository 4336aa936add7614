import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import pg, { type Pool, type PoolClient, type QueryConfig, type QueryResult, type QueryResultRow } from 'pg';
import { DataSource } from 'typeorm';
import { Batches } from './batches.js';
import type { ConnectionExtra } from './data-source.js';
import type { Statement } from './sql.js';
import { UnitOfWork } from './unit-of-work.js';

/** Reads from replicas of the database. */
export interface ReplicaReader {
  /** Undefined when the database itself has to answer. */
  rows<Row>(statement: Statement<Row>, values: readonly unknown[]): Promise<readonly Row[] | undefined>;
}

/**
 * Runs statements on the open unit of work, else on a connection of the pool. Timestamps arrive as API strings
 * (`2024-05-01T10:20:30.000Z`), `int8` and `date` as strings.
 */
@Injectable()
export class Database implements OnApplicationBootstrap {
  /** Undefined where there are none. */
  replicas: ReplicaReader | undefined;

  private shared: SharedConnection | undefined;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly uow: UnitOfWork,
  ) {}

  /**
   * Opens all connections of the pool before the first request: each new one invalidates what is cached, since it may have
   * missed a message (docs/adr/0025). Where the database has no room for all, the pool opens the others when it needs them.
   * Does nothing in a process without caches, such as `ctl`.
   */
  async onApplicationBootstrap(): Promise<void> {
    const { changes } = this.dataSource.options.extra as ConnectionExtra;
    if (!changes) return;
    const { max } = this.pool.options;
    await Promise.allSettled(Array.from({ length: max }, () => this.pool.query('select 1')));
  }

  /** The rows of a named prepared statement; of a replica where the statement allows that, outside of units. */
  async rows<Row>(statement: Statement<Row>, values: readonly unknown[] = []): Promise<Row[]> {
    if (this.replicas && statement.subjects && !this.uow.client) {
      const rows = await this.replicas.rows(statement, values);
      if (rows) return [...rows];
    }
    return (await this.send(statement, values)).rows as Row[];
  }

  /** The first row of a named prepared statement. */
  async first<Row>(statement: Statement<Row>, values: readonly unknown[] = []): Promise<Row | undefined> {
    return (await this.rows(statement, values))[0];
  }

  /** Runs a named prepared statement and returns the number of changed rows. */
  async run(statement: Statement<unknown>, values: readonly unknown[] = []): Promise<number> {
    return (await this.send(statement, values)).rowCount ?? 0;
  }

  /** The rows of an unnamed statement: for rare statements, planned each time. */
  async query<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return (await this.send({ text }, values)).rows as Row[];
  }

  /**
   * Lets the open unit of work rest for up to an hour: for one that waits for other things than the database, such as a storage
   * of files, while it holds a lock. Without it PostgreSQL ends the connection.
   */
  async allowLongRests(): Promise<void> {
    await this.query("set local idle_in_transaction_session_timeout = '1h'");
  }

  /**
   * Shares statements among callers of one moment: those inside one unit of work have theirs on it, all outside of units
   * share others.
   */
  batches<Item, Result>(run: (items: readonly Item[]) => Promise<readonly Result[]>): Batches<Item, Result> {
    return new Batches(run, () => this.uow.scope);
  }

  /** The hot pool, for gauges and for shutting down. */
  get pool(): Pool {
    return (this.dataSource.driver as unknown as { master: Pool }).master;
  }

  private async send(
    { name, text, isRead = false }: Partial<Statement<unknown>> & { readonly text: string },
    values: readonly unknown[],
  ): Promise<QueryResult<QueryResultRow>> {
    const query = { ...(name === undefined ? {} : { name }), text, values: [...values] };
    const { client } = this.uow;
    if (!client) return isRead ? this.connection().query(query) : this.pool.query(query);
    try {
      return await client.query(query);
    } catch (error) {
      this.uow.noteFailure(error);
      throw error;
    }
  }

  /** The connection for reads outside of units that are sent in this moment. */
  private connection(): SharedConnection {
    if (!this.shared) {
      this.shared = new SharedConnection(this.pool);
      process.nextTick(() => (this.shared = undefined));
    }
    return this.shared;
  }
}

/** Whether a connection is of no use after an error of a statement. */
export function breaksConnection(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || error.severity !== 'ERROR';
}

/**
 * A connection for reads that are sent together: they leave in one packet and wake one process of PostgreSQL, which runs
 * them one after the other.
 */
class SharedConnection {
  private readonly client: Promise<PoolClient>;
  private unanswered = 0;
  private isBroken = false;

  constructor(pool: Pool) {
    this.client = pool.connect();
  }

  async query(query: QueryConfig): Promise<QueryResult<QueryResultRow>> {
    this.unanswered += 1;
    const client = await this.client;
    try {
      return await client.query(query);
    } catch (error) {
      this.isBroken ||= breaksConnection(error);
      throw error;
    } finally {
      this.unanswered -= 1;
      if (this.unanswered === 0) client.release(this.isBroken);
    }
  }
}
