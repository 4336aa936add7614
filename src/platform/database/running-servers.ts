import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { Injectable } from '@nestjs/common';
import type { Env } from '../env/env.js';
import { BORROWERS_LOCK, holdersOf, ROLE_LOCK, SERVER_LOCKS } from './advisory-lock.js';
import { Database } from './database.js';
import { sql } from './sql.js';

const runningServers = sql<{ name: string }>(
  'platform.running_servers',
  `select distinct on (l.pid) a.application_name as name from ${holdersOf('$2', '$3')} and starts_with(a.application_name, $1)`,
);

const PLACE = new RegExp(`^${SERVER_LOCKS} ([0-9a-f]{12}) `);

/** Where a server stores its files, as a digest: no session may tell more to others of the database. */
export function placeOfFiles({ storage, dataDir }: Pick<Env, 'storage' | 'dataDir'>): string {
  const place = storage ? [storage.endpoint, storage.bucket, storage.prefix] : [resolve(dataDir)];
  return createHash('sha256').update(JSON.stringify(place)).digest('hex').slice(0, 12);
}

/** The name of the session that holds a server's lock. */
export function serverSession(env: Pick<Env, 'storage' | 'dataDir'>): string {
  return `${SERVER_LOCKS} ${placeOfFiles(env)}`;
}

/** The server processes on the database, by their locks. */
@Injectable()
export class RunningServers {
  constructor(private readonly db: Database) {}

  async count(): Promise<number> {
    return (await this.names()).length;
  }

  /** Where each of them stores its files, as {@link placeOfFiles}; empty for one of a release that does not tell. */
  async places(): Promise<string[]> {
    return (await this.names()).map((name) => PLACE.exec(name)?.[1] ?? '');
  }

  private async names(): Promise<string[]> {
    const rows = await this.db.rows(runningServers, [SERVER_LOCKS, ROLE_LOCK, BORROWERS_LOCK]);
    return rows.map(({ name }) => name);
  }
}
