import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An index on a large table takes its time. All readers and writers of a table wait behind a migration that waits for its
 * lock: it gives up soon, and is tried again (`src/migrate.ts`).
 */
const SETTINGS = `set local statement_timeout = 0; set local lock_timeout = '3s'`;

/** A migration that only goes forward: going back is restoring a backup. */
export abstract class ForwardOnly implements MigrationInterface {
  /** TypeORM orders migrations by the number at the end of this name. */
  abstract readonly name: string;
  protected abstract readonly statements: string;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SETTINGS);
    await runner.query(this.statements);
  }

  down(): Promise<void> {
    return Promise.reject(new Error(`${this.name} cannot be undone: restore a backup instead`));
  }
}
