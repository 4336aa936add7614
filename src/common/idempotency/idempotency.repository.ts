import { Injectable } from '@nestjs/common';
import { Database, purge, sql } from '../../platform/index.js';

// The insert waits for another transaction that holds the same key; `set local` bounds the wait and ends with the unit.
const limitWait = sql('idempotency.limit_wait', `set local lock_timeout = '10s'`);
const claim = sql(
  'idempotency.claim',
  `insert into idempotency_keys (account_id, key, route) values ($1, $2, $3) on conflict do nothing`,
);
const add = sql(
  'idempotency.add',
  `insert into idempotency_keys (account_id, key, route, ref) values ($1, $2, $3, $4) on conflict do nothing`,
);
const ref = sql<{ ref: string }>(
  'idempotency.ref',
  `select ref from idempotency_keys where account_id = $1 and key = $2 and route = $3`,
);
const store = sql(
  'idempotency.store',
  `update idempotency_keys set ref = $4 where account_id = $1 and key = $2 and route = $3`,
);

/** All SQL on `idempotency_keys`. */
@Injectable()
export class IdempotencyRepository {
  constructor(private readonly db: Database) {}

  /** Whether the key was free; the open unit of work holds it then. */
  async claim(accountId: string, key: string, route: string): Promise<boolean> {
    const [, taken] = await Promise.all([this.db.run(limitWait), this.db.run(claim, [accountId, key, route])]);
    return taken === 1;
  }

  async ref(accountId: string, key: string, route: string): Promise<string | undefined> {
    return (await this.db.first(ref, [accountId, key, route]))?.ref;
  }

  async add(accountId: string, key: string, route: string, made: string): Promise<void> {
    await this.db.run(add, [accountId, key, route, made]);
  }

  async store(accountId: string, key: string, route: string, made: string): Promise<void> {
    await this.db.run(store, [accountId, key, route, made]);
  }

  /** Index: idempotency_keys_created. */
  async purge(hours: number): Promise<void> {
    const old = { table: 'idempotency_keys', where: `created_at < now() - $1 * interval '1 hour'`, by: 'created_at' };
    await purge(this.db, old, [hours]);
  }
}
