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
  async insert(key: Pick<ServerKey, 'name' | 'publicKey' | 'privateSealed'>): Promise<void> {
    await this.uow.manager.createQueryBuilder().insert().into(ServerKey).values(key).orIgnore().execute();
  }
}
