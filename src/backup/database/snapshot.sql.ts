import type { Readable } from 'node:stream';
import type pg from 'pg';
import { to } from 'pg-copy-streams';
import { type DatabaseAddress, hasCode } from '../../platform/index.js';
import { BackupError } from '../model/backup-error.js';
import { unfinishedLoad } from './loader.sql.js';
import { openSession } from './session.sql.js';
import {
  type CopiedTable,
  copyTarget,
  migrationsOf,
  quoted,
  type Sequence,
  sequencesOf,
  tablesOf,
} from './tables.sql.js';

const UNDEFINED_TABLE = '42P01';

/** All tables of a database at one moment: a transaction that only reads, beside everything else that goes on. */
export class Snapshot {
  private constructor(
    private readonly client: pg.Client,
    readonly migrations: readonly string[],
    /** In the order of their foreign keys. */
    readonly tables: readonly CopiedTable[],
    readonly sequences: readonly Sequence[],
  ) {}

  /**
   * Locks the tables against migrations, as pg_dump does, since a table that is written anew looks empty to an older
   * transaction.
   * @throws BackupError when the database has no tables of ours, gets others at this moment, or is not complete
   */
  static async open(address: DatabaseAddress): Promise<Snapshot> {
    const client = await openSession(address);
    try {
      const before = await tablesOf(client);
      await client.query('begin transaction isolation level repeatable read read only');
      if (before.length > 0)
        await client.query(`lock table ${before.map(({ name }) => quoted(name)).join(', ')} in access share mode`);
      const load = await unfinishedLoad(async (text) => (await client.query<Record<string, unknown>>(text)).rows);
      if (load) throw new BackupError(`The database is not complete: a ${load.kind} into it did not finish.`);
      const tables = await tablesOf(client);
      if (JSON.stringify(tables) !== JSON.stringify(before))
        throw new BackupError('The tables of the database are changed at this moment: try again later.');
      return new Snapshot(client, await migrationsOf(client), tables, await sequencesOf(client));
    } catch (error) {
      await client.end();
      if (hasCode(error, UNDEFINED_TABLE))
        throw new BackupError('There is nothing in the database yet.', { cause: error });
      throw error;
    }
  }

  /** The rows of a table in the text form of `copy`, a line for each. Read it to its end before the next one. */
  read(table: CopiedTable): Readable {
    return this.client.query(to(`copy ${copyTarget(table)} to stdout`));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.end();
  }
}
