import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A migration that only goes forward: going back is restoring a backup. */
export abstract class ForwardOnly implements MigrationInterface {
  /** TypeORM orders migrations by the number at the end of this name. */
  abstract readonly name: string;
  protected abstract readonly statements: string;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('set local statement_timeout = 0'); // an index on a large table takes its time
    await runner.query(this.statements);
  }

  down(): Promise<void> {
    return Promise.reject(new Error(`${this.name} cannot be undone: restore a backup instead`));
  }
}
