import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/index.js';

/** Queries the health of the database. */
@Injectable()
export class HealthRepository {
  constructor(private readonly db: Database) {}

  async ping(): Promise<void> {
    await this.db.query('select 1');
  }

  /** The connections to the database: the limit, and the states of the open ones. */
  pool(): { pool_size: number; active: number; idle: number } {
    const { totalCount, idleCount, options } = this.db.pool;
    return { pool_size: options.max, active: totalCount - idleCount, idle: idleCount };
  }
}
