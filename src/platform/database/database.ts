import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Pool, PoolClient, QueryResult, QueryResultRow } from 'pg';
import { DataSource } from 'typeorm';
import { Batches } from './batches.js';
import type { Statement } from './sql.js';
import { UnitOfWork } from './unit-of-work.js';

/**
 * Runs statements on the open unit of work, else on the hot pool. Timestamps arrive as API strings
 * (`2024-05-01T10:20:30.000Z`), `int8` and `date` as strings.
 */
@Injectable()
export class Database {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly uow: UnitOfWork,
  ) {}

  /** The rows of a named prepared statement. */
  async rows<Row>(statement: Statement<Row>, values: readonly unknown[] = []): Promise<Row[]> {
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
    statement: { name?: string; text: string },
    values: readonly unknown[],
  ): Promise<QueryResult<QueryResultRow>> {
    const on: Pool | PoolClient = this.uow.client ?? this.pool;
    try {
      return await on.query({ ...statement, values: [...values] });
    } catch (error) {
      this.uow.noteFailure(error);
      throw error;
    }
  }
}
