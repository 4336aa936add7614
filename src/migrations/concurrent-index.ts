import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A migration that builds one index while people go on writing: for tables that may be large, where an index made by a
 * `ForwardOnly` would keep everybody waiting. It runs outside of a transaction, so it holds nothing else.
 */
export abstract class ConcurrentIndex implements MigrationInterface {
  /** TypeORM orders migrations by the number at the end of this name. */
  abstract readonly name: string;
  protected abstract readonly index: string;
  /** What follows the name: `on statuses (author_id, id desc)`. */
  protected abstract readonly definition: string;
  /** Read by TypeORM. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('set statement_timeout = 0'); // an index on a large table takes its time
    try {
      await runner.query(`drop index concurrently if exists ${this.index}`); // what is left when the process was stopped
      await runner.query(`create index concurrently ${this.index} ${this.definition}`);
    } finally {
      await runner.query('reset statement_timeout');
    }
  }

  down(): Promise<void> {
    return Promise.reject(new Error(`${this.name} cannot be undone: restore a backup instead`));
  }
}
