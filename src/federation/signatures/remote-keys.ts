import { Injectable } from '@nestjs/common';
import { type PublicKey, RemoteKeyRepository } from './remote-key.repository.js';

const KEPT_DAYS = 30;

/** The public keys of actors of other servers. */
@Injectable()
export class RemoteKeys {
  constructor(private readonly keys: RemoteKeyRepository) {}

  /** Stores the keys that an actor names, instead of all it named before. */
  async store(ownerUri: string, keys: readonly PublicKey[]): Promise<void> {
    await this.keys.replace(ownerUri, keys);
  }

  /** Removes keys that were fetched a month ago: their owners are asked again. */
  async purge(): Promise<void> {
    await this.keys.purge(KEPT_DAYS);
  }
}
