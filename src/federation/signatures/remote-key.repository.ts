import { Injectable } from '@nestjs/common';
import { Database, purge, someRow, sql } from '../../platform/index.js';

/** SQL: whether a key is that of a stored account. */
const IS_OF_ACCOUNT = someRow('accounts a where a.ap_id = owner_uri and a.deleted_at is null');

const byId = sql<StoredKeyRow>(
  'signatures.remote_key',
  `select key_id as "keyId", owner_uri as "ownerUri", public_pem as "publicPem", inbox from remote_keys where key_id = $1`,
);

// An owner's keys that are not among the new ones are no longer valid. Indexes: remote_keys_owner, remote_keys_pkey.
const replace = sql(
  'signatures.replace_keys',
  `with gone as (delete from remote_keys where owner_uri = $1 and key_id <> all($2::text[]))
   insert into remote_keys (key_id, owner_uri, public_pem, inbox)
   select key_id, $1, pem, $4 from unnest($2::text[], $3::text[]) as given (key_id, pem)
   on conflict (key_id) do update
     set owner_uri = excluded.owner_uri, public_pem = excluded.public_pem, inbox = excluded.inbox, fetched_at = now()`,
);

export interface StoredKeyRow {
  readonly keyId: string;
  readonly ownerUri: string;
  readonly publicPem: string;
  readonly inbox: string | null;
}

/** An actor with keys. */
export interface KeyOwner {
  readonly uri: string;
  /** Where its server takes activities. */
  readonly inbox: string;
}

/** A public key, by its id. */
export interface PublicKey {
  readonly keyId: string;
  readonly pem: string;
}

/** All SQL on `remote_keys`. */
@Injectable()
export class RemoteKeyRepository {
  constructor(private readonly db: Database) {}

  byId(keyId: string): Promise<StoredKeyRow | undefined> {
    return this.db.first(byId, [keyId]);
  }

  /** Stores the keys that an actor names, instead of all it named before. Each id occurs once. */
  async replace({ uri, inbox }: KeyOwner, keys: readonly PublicKey[]): Promise<void> {
    await this.db.run(replace, [uri, keys.map(({ keyId }) => keyId), keys.map(({ pem }) => pem), inbox]);
  }

  /** Removes keys that were fetched long ago, but for those of accounts: one may sign the deletion of its account after years. */
  async purge(days: number): Promise<void> {
    await purge(
      this.db,
      {
        table: 'remote_keys',
        where: `fetched_at < now() - make_interval(days => $1) and not ${IS_OF_ACCOUNT}`,
        by: 'fetched_at',
      },
      [days],
    );
  }
}
