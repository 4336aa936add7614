import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedPostgres, type PostgresServer } from '../built.ts';
import type { Stage } from '../stage.ts';
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
    mkdirSync(dataDir);
    await stage.sql.query(`select pg_backup_start('replica', true)`);
    execFileSync('cp', ['-a', join(stage.folder, 'postgres'), dataDir]);
    const { rows } = await stage.sql.query<{ labelfile: string }>('select labelfile from pg_backup_stop()');
    const data = join(dataDir, 'postgres/data');
    rmSync(join(data, 'postmaster.pid'));
    rmSync(join(data, 'postmaster.opts'));
    writeFileSync(join(data, 'backup_label'), rows[0]!.labelfile, { mode: 0o644 });
    writeFileSync(join(data, 'standby.signal'), '', { mode: 0o644 });
    const { host, port, user, password } = stage.address;
    const source = `host=${host} port=${port} user=${user} password=${password} application_name=replica`;
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
