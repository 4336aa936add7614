import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import type { DatabaseAddress } from '../../src/platform/index.js';

/** Copies the running database in the DATA_DIR `from` to the new one `to`, which follows it once it is started. */
export async function copyToFollow(primary: Pick<pg.Client, 'query'>, from: string, to: string): Promise<void> {
  mkdirSync(to);
  await primary.query(`select pg_backup_start('replica', true)`);
  execFileSync('cp', ['-a', join(from, 'postgres'), to]);
  const { rows } = await primary.query<{ labelfile: string }>('select labelfile from pg_backup_stop()');
  const data = join(to, 'postgres/data');
  for (const name of ['postmaster.pid', 'postmaster.opts']) rmSync(join(data, name));
  writeFileSync(join(data, 'backup_label'), rows[0]!.labelfile, { mode: 0o644 });
  writeFileSync(join(data, 'standby.signal'), '', { mode: 0o644 });
}

/** The connection of a replica to its primary. */
export function primaryConninfo({ host, port, user, password }: DatabaseAddress): string {
  return `host=${host} port=${port} user=${user} password=${password} application_name=replica`;
}
