import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/index.js';

const ping = sql<{ up: number }>('health.ping', `select 1 as up`);

/** Queries the health of the database. */
@Injectable()
export class HealthRepository {
  constructor(private readonly db: Database) {}

  async ping(): Promise<void> {
    await this.db.run(ping);
  }

  /** The connections to the database: the limit, and the states of the open ones. */
  pool(): { pool_size: number; active: number; idle: number } {
    const { totalCount, idleCount, options } = this.db.pool;
    return { pool_size: options.max, active: totalCount - idleCount, idle: idleCount };
  }
}
