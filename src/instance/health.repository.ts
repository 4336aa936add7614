import { Injectable } from '@nestjs/common';
import { Database } from '../platform/index.js';

/** Asks whether the database answers. */
@Injectable()
export class HealthRepository {
  constructor(private readonly db: Database) {}

  async ping(): Promise<void> {
    await this.db.query('select 1');
  }
}
