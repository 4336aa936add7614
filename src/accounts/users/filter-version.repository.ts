import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/index.js';

const raise = sql(
  'users.raise_filters_version',
  `update users set filters_version = filters_version + 1 where account_id = $1`,
);

/** All SQL on `users.filters_version`. */
@Injectable()
export class FilterVersionRepository {
  constructor(private readonly db: Database) {}

  async raise(accountId: string): Promise<void> {
    await this.db.run(raise, [accountId]);
  }
}
