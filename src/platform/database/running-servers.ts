import { Injectable } from '@nestjs/common';
import { BORROWERS_LOCK, holdersOf, ROLE_LOCK, SERVER_LOCKS } from './advisory-lock.js';
import { Database } from './database.js';
import { sql } from './sql.js';

const countServers = sql<{ count: number }>(
  'platform.running_servers',
  `select count(distinct l.pid)::int as count from ${holdersOf('$2', '$3')} and starts_with(a.application_name, $1)`,
);

/** Counts the server processes on the database by their locks. */
@Injectable()
export class RunningServers {
  constructor(private readonly db: Database) {}

  async count(): Promise<number> {
    const row = await this.db.first(countServers, [SERVER_LOCKS, ROLE_LOCK, BORROWERS_LOCK]);
    return row?.count ?? 0;
  }
}
