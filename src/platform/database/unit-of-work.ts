import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { PoolClient } from 'pg';
import { DataSource, type EntityManager, type QueryRunner } from 'typeorm';

const ATTEMPTS = 3;
/** Errors of statements that were sent along with a failed one: any of them may arrive first. */
const IN_FAILED_TRANSACTION = '25P02';
const RETRYABLE = ['40001', '40P01']; // serialization failure, deadlock
export const UNIQUE_VIOLATION = '23505';

/** Collects values while a unit is open and writes them once at its end, lowest `order` first. */
export interface Collector {
  readonly order: number;
  flush(): Promise<unknown>;
  /** Called when the unit was not committed, or may not have been. */
  discard?(): void;
}

/** A statement was sent on a unit of work that has already ended: an `await` is missing. */
export class UnitEndedError extends Error {
  constructor() {
    super('A statement was sent after its unit of work ended');
  }
}

/** PostgreSQL answered the commit with a rollback, because a statement inside failed and its error was swallowed. */
export class UnitFailedError extends Error {
  constructor(cause: unknown) {
    super('The unit of work was rolled back, since one of its statements failed', { cause });
  }
}

interface Unit {
  readonly runner: QueryRunner;
  readonly client: PoolClient;
  readonly collectors: Map<object, Collector>;
  readonly afterCommit: (() => unknown)[];
  failure: unknown;
  ended: boolean;
}

/**
 * One database transaction around a piece of work (docs/adr/0002). Only services open units. A nested `run` joins the
 * open one. Repositories find the open unit by themselves; without one each of their statements commits alone.
 */
@Injectable()
export class UnitOfWork {
  private readonly logger = new Logger(UnitOfWork.name);
  private readonly current = new AsyncLocalStorage<Unit | undefined>();

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Whether the caller runs inside a unit that has not ended. */
  get isOpen(): boolean {
    return this.current.getStore()?.ended === false;
  }

  /** TypeORM's manager on the open unit's connection, else on the pool. */
  get manager(): EntityManager {
    return this.unit()?.runner.manager ?? this.dataSource.manager;
  }

  /** The connection of the open unit; undefined outside. Throws when the unit has ended. */
  get client(): PoolClient | undefined {
    return this.unit()?.client;
  }

  /** The same object for all callers inside the open unit, and for all outside of units. Throws when the unit has ended. */
  get scope(): object {
    return this.unit() ?? this;
  }

  /**
   * Runs `work` in a transaction and returns its result. Retries up to 3 times after a deadlock or a serialization
   * failure, so `work` has no effects outside the database.
   * @param options.findsTaken whether to retry also after a unique violation: `work` looks for the row that has a value
   * before it stores that value, and finds one that was stored meanwhile
   */
  async run<T>(work: () => T | Promise<T>, { findsTaken = false } = {}): Promise<T> {
    if (this.unit()) return work();
    const retryable = findsTaken ? [...RETRYABLE, UNIQUE_VIOLATION] : RETRYABLE;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.attempt(work);
      } catch (error) {
        if (attempt === ATTEMPTS || !retryable.includes(sqlState(error))) throw error;
      }
    }
  }

  /** Runs `work` outside of the open unit: for caches and single-flight loads that other callers share. */
  outside<T>(work: () => Promise<T>): Promise<T> {
    return this.current.run(undefined, work);
  }

  /** The unit's own instance of a collector, created on first use. Throws outside a unit. */
  collector<T extends Collector>(key: object, create: () => T): T {
    const unit = this.unit();
    if (!unit) throw new Error('This needs an open unit of work');
    const known = unit.collectors.get(key) as T | undefined;
    if (known) return known;
    const created = create();
    unit.collectors.set(key, created);
    return created;
  }

  /**
   * Calls `listener` after the unit's commit, never after a rollback; at once when no unit is open. A failing listener
   * is logged: the commit stays.
   */
  afterCommit(listener: () => unknown): void {
    const unit = this.unit();
    if (unit) unit.afterCommit.push(listener);
    else void this.notify(listener);
  }

  /** Marks the open unit as failed, so that it cannot commit even if the error is swallowed. */
  noteFailure(error: unknown): void {
    const unit = this.current.getStore();
    if (unit) unit.failure ??= error;
  }

  private unit(): Unit | undefined {
    const unit = this.current.getStore();
    if (unit?.ended) throw new UnitEndedError();
    return unit;
  }

  private async attempt<T>(work: () => T | Promise<T>): Promise<T> {
    const unit = await this.open();
    try {
      // Not awaited: `begin` leaves with the unit's first statement. Its failure fails that statement too.
      unit.client.query('begin').catch((error: unknown) => (unit.failure ??= error));
      const result = await this.current.run(unit, work);
      await this.commit(unit);
      for (const listener of unit.afterCommit) void this.notify(listener);
      return result;
    } catch (error) {
      unit.ended = true;
      for (const collector of unit.collectors.values()) collector.discard?.();
      await unit.client.query('rollback').catch(() => undefined);
      throw sqlState(error) === IN_FAILED_TRANSACTION ? (unit.failure ?? error) : error;
    } finally {
      unit.ended = true;
      await unit.runner.release();
    }
  }

  private async notify(listener: () => unknown): Promise<void> {
    try {
      await listener();
    } catch (error) {
      this.logger.error({ err: error }, 'A listener failed after a commit');
    }
  }

  private async open(): Promise<Unit> {
    const runner = this.dataSource.createQueryRunner();
    const client = (await runner.connect()) as PoolClient;
    Object.assign(runner, { isTransactionActive: true }); // TypeORM must not open transactions of its own inside ours
    return { runner, client, collectors: new Map(), afterCommit: [], failure: undefined, ended: false };
  }

  /**
   * Sends the collectors' statements and `commit` together; the answer to `commit` tells whether all of them succeeded.
   */
  private async commit(unit: Unit): Promise<void> {
    if (unit.failure) throw new UnitFailedError(unit.failure);
    const flushed = this.current.run(unit, () => {
      const collectors = [...unit.collectors.values()].sort((a, b) => a.order - b.order);
      return collectors.map((collector) => collector.flush());
    });
    unit.ended = true;
    const committed = unit.client.query('commit');
    const results = await Promise.allSettled([...flushed, committed]);
    const refused = results.find((result) => result.status === 'rejected');
    if (refused) throw refused.reason;
    if ((await committed).command !== 'COMMIT') throw new UnitFailedError(unit.failure);
  }
}

/** The SQLSTATE of a database error, else ''. */
export function sqlState(error: unknown): string {
  const source = error instanceof UnitFailedError ? error.cause : error;
  if (typeof source !== 'object' || source === null || !('code' in source)) return '';
  return typeof source.code === 'string' ? source.code : '';
}
