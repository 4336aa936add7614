import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/index.js';

export interface StoredKey {
  readonly public_key: string;
  readonly private_sealed: Buffer;
}

/** All SQL on `server_keys`. */
@Injectable()
export class ServerKeyRepository {
  constructor(private readonly db: Database) {}

  async byName(name: string): Promise<StoredKey | undefined> {
    const [row] = await this.db.query<StoredKey>('select public_key, private_sealed from server_keys where name = $1', [
      name,
    ]);
    return row;
  }

  /** Stores a key unless one of the name is there already. */
  async insert(name: string, publicKey: string, privateSealed: Buffer): Promise<void> {
    await this.db.query(
      'insert into server_keys (name, public_key, private_sealed) values ($1, $2, $3) on conflict (name) do nothing',
      [name, publicKey, privateSealed],
    );
  }
}
