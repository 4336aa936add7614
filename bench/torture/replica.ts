import { join } from 'node:path';
import { EmbeddedPostgres, type PostgresServer } from '../built.ts';
import type { Stage } from '../stage.ts';
import { copyToFollow, primaryConninfo } from '../../test/process/replica-copy.ts';
import { ask, until } from '../../test/process/scratch.ts';

type Address = PostgresServer['address'];

/** A copy of the stage's database that follows it, can be read, and takes over when it is promoted. */
export class Replica {
  /** Resolves when it is no replica any more. */
  private readonly promoted: Promise<PostgresServer>;

  private constructor(
    readonly address: Address,
    promoted: Promise<PostgresServer>,
  ) {
    this.promoted = promoted;
  }

  /** Copies the database and lets every commit wait for the copy, so that none is lost. */
  static async follow(stage: Stage): Promise<Replica> {
    const dataDir = join(stage.folder, 'replica');
    const socketDir = join(stage.folder, 'r');
    await copyToFollow(stage.sql, stage.folder, dataDir);
    const source = primaryConninfo(stage.address);
    const promoted = EmbeddedPostgres.startOrJoin({ dataDir, socketDir, settings: { primary_conninfo: source } });
    const replica = new Replica({ ...stage.address, host: socketDir }, promoted);
    promoted.catch(() => undefined); // whoever promotes it is told
    await until('the replica', () => ask(replica.address, 'select 1').catch(() => undefined));
    await stage.sql.query(`alter system set synchronous_standby_names = 'replica'`);
    await stage.sql.query('select pg_reload_conf()');
    return replica;
  }

  /** Makes it the only database; the old one must have ended. */
  async promote(): Promise<PostgresServer> {
    await ask(this.address, 'select pg_promote()');
    return this.promoted;
  }
}
