import { Injectable } from '@nestjs/common';
import { Database, purge, sql } from '../../platform/index.js';

const KEPT = `interval '180 days'`;

const firstKnown = sql<{ position: number | null }>(
  'known_networks.first_known',
  `select min(given.position)::int as position
   from unnest($2::bytea[]) with ordinality given (hash, position)
   join known_networks k on k.account_id = $1 and k.network_hash = given.hash`,
);

const add = sql(
  'known_networks.add',
  `insert into known_networks as k (account_id, network_hash) select $1, unnest($2::bytea[])
   on conflict (account_id, network_hash) do update set last_used_at = now()
     where k.last_used_at < now() - interval '1 day'`,
);

/** All SQL on `known_networks`. */
@Injectable()
export class KnownNetworksRepository {
  constructor(private readonly db: Database) {}

  /** The position, from 1, of the account's first known hash; undefined for none. */
  async firstKnown(accountId: string, hashes: readonly Buffer[]): Promise<number | undefined> {
    const row = await this.db.first(firstKnown, [accountId, hashes]);
    return row?.position ?? undefined;
  }

  async add(accountId: string, hashes: readonly Buffer[]): Promise<void> {
    await this.db.run(add, [accountId, hashes]);
  }

  /** Removes networks that were not used for long. Index: known_networks_last_used. */
  async purge(): Promise<void> {
    await purge(this.db, { table: 'known_networks', where: `last_used_at < now() - ${KEPT}`, by: 'last_used_at' });
  }
}
