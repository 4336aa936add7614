import { Inject, Injectable } from '@nestjs/common';
import { openSecret, sealSecret, SECRET_KEY, UnitOfWork } from '../../platform/index.js';
import type { ServerKey } from './server-key.entity.js';
import { ServerKeyRepository } from './server-key.repository.js';

/** A new key pair, each half in the encoding of its user. */
export interface KeyPair {
  readonly publicKey: string;
  readonly privateKey: Buffer;
}

/** Named key pairs of the whole server. Each is created once; all processes share it through the database. */
@Injectable()
export class ServerKeyPairs {
  constructor(
    @Inject(SECRET_KEY) private readonly secretKey: Buffer,
    private readonly repository: ServerKeyRepository,
    private readonly uow: UnitOfWork,
  ) {}

  /** The stored pair, or a new one. When several processes create a pair, the first one counts. */
  readOrMake(name: string, make: () => KeyPair | Promise<KeyPair>): Promise<ServerKey> {
    return this.uow.outside(async () => {
      const known = await this.repository.byName(name);
      if (known) return known;
      const { publicKey, privateKey } = await make();
      const privateSealed = sealSecret(this.secretKey, privateKey, contextOf(name));
      await this.repository.insert({ name, publicKey, privateSealed });
      const made = await this.repository.byName(name);
      if (!made) throw new Error(`The key pair "${name}" was not stored`);
      return made;
    });
  }

  /** The private half. Throws when this SECRET_KEY does not open it. */
  open({ name, privateSealed }: ServerKey): Buffer {
    return openSecret(this.secretKey, privateSealed, contextOf(name));
  }
}

function contextOf(name: string): string {
  return `server-key:${name}`;
}
