import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/index.js';
import { ServerKey } from './server-key.entity.js';

/** All SQL on `server_keys`. */
@Injectable()
export class ServerKeyRepository {
  constructor(private readonly uow: UnitOfWork) {}

  byName(name: string): Promise<ServerKey | null> {
    return this.uow.manager.findOneBy(ServerKey, { name });
  }

  /** Stores a key unless there is one of that name. */
  async insert(name: string, publicKey: string, privateSealed: Buffer): Promise<void> {
    await this.db.query(
      'insert into server_keys (name, public_key, private_sealed) values ($1, $2, $3) on conflict (name) do nothing',
      [name, publicKey, privateSealed],
    );
  }
}
