import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/index.js';

/** Asks whether the database answers. */
@Injectable()
export class HealthRepository {
  constructor(private readonly db: Database) {}

  async ping(): Promise<void> {
    await this.db.query('select 1');
  }

  /** The connections to the database: how many there may be, and what those that are open do. */
  pool(): { pool_size: number; active: number; idle: number } {
    const { totalCount, idleCount, options } = this.db.pool;
    return { pool_size: options.max, active: totalCount - idleCount, idle: idleCount };
  }
}
