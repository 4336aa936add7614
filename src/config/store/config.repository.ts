import { Injectable } from '@nestjs/common';
import { Database, UnitOfWork, sql } from '../../platform/index.js';
import { ConfigItem } from './config-item.entity.js';
import type { StoredItem } from './snapshot.js';

const lock = sql('config.lock', `select pg_advisory_xact_lock(hashtextextended('settings', 0))`);

const put = sql(
  'config.put',
  `insert into config_items (group_name, key, value)
   select group_name, key, value::jsonb from unnest($1::text[], $2::text[], $3::text[]) as new (group_name, key, value)
   order by group_name, key
   on conflict (group_name, key) do update set value = excluded.value, updated_at = now()`,
);

/** All SQL on `config_items`. */
@Injectable()
export class ConfigRepository {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  all(): Promise<StoredItem[]> {
    return this.uow.manager.find(ConfigItem, { select: { group: true, key: true, value: true } });
  }

  /** Keeps others from changing items until the unit of work ends. */
  async lock(): Promise<void> {
    await this.db.run(lock);
  }

  /** Stores values in the order of their keys, so that two writers cannot deadlock. */
  async put(items: readonly StoredItem[]): Promise<void> {
    if (items.length === 0) return;
    await this.db.run(put, [
      items.map(({ group }) => group),
      items.map(({ key }) => key),
      items.map(({ value }) => JSON.stringify(value)),
    ]);
  }

  async remove(group: string, key: string): Promise<void> {
    await this.uow.manager.delete(ConfigItem, { group, key });
  }
}
