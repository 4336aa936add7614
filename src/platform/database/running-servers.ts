import { Injectable } from '@nestjs/common';
import { BORROWERS_LOCK, ROLE_LOCK, SERVER_LOCKS } from './advisory-lock.js';
import { Database } from './database.js';
import { sql } from './sql.js';

const countServers = sql<{ count: number }>(
  'platform.running_servers',
  `select count(distinct l.pid)::int as count from pg_locks l join pg_stat_activity a on a.pid = l.pid
   where l.locktype = 'advisory' and l.objsubid = 1 and l.granted and starts_with(a.application_name, $1)
     and l.database = (select oid from pg_database where datname = current_database())
     and (l.classid::bigint << 32) | l.objid::bigint in (hashtextextended($2, 0), hashtextextended($3, 0))`,
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
