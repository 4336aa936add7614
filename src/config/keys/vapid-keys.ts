import { createECDH } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { openSecret, sealSecret, SECRET_KEY, UnitOfWork } from '../../platform/index.js';
import type { ServerKey } from './server-key.entity.js';
import { ServerKeyRepository } from './server-key.repository.js';

/** Both halves in the form of web push: base64url, the public one an uncompressed point of 65 bytes. */
export interface VapidPair {
  readonly publicKey: string;
  readonly privateKey: string;
}

const NAME = 'vapid';
const CONTEXT = `server-key:${NAME}`;
const PRIVATE_BYTES = 32;

/**
 * The key pair that signs pushes (RFC 8292). Apps bind their subscriptions to the public half, so the pair is created
 * once and never changes; all processes share it through the database.
 */
@Injectable()
export class VapidKeys {
  private stored: Promise<ServerKey> | undefined;

  constructor(
    @Inject(SECRET_KEY) private readonly secretKey: Buffer,
    private readonly repository: ServerKeyRepository,
    private readonly uow: UnitOfWork,
  ) {}

  /** The public half, for subscriptions: `vapid_key`, `server_key`. */
  async publicKey(): Promise<string> {
    return (await this.key()).publicKey;
  }

  /** Both halves. Throws when this SECRET_KEY does not open the private one. */
  async pair(): Promise<VapidPair> {
    const { publicKey, privateSealed } = await this.key();
    return { publicKey, privateKey: openSecret(this.secretKey, privateSealed, CONTEXT).toString('base64url') };
  }

  /** Whether this server can sign: not when the pair was sealed with another SECRET_KEY. */
  async isUsable(): Promise<boolean> {
    await this.key();
    return this.pair().then(
      () => true,
      () => false,
    );
  }

  private key(): Promise<ServerKey> {
    if (this.stored) return this.stored;
    const stored = this.uow.outside(() => this.readOrMake());
    this.stored = stored;
    stored.catch(() => (this.stored = undefined));
    return stored;
  }

  /** When several processes create a pair, the first one counts. */
  private async readOrMake(): Promise<ServerKey> {
    const known = await this.repository.byName(NAME);
    if (known) return known;
    const curve = createECDH('prime256v1');
    const publicKey = curve.generateKeys('base64url');
    const privateSealed = sealSecret(this.secretKey, privateBytes(curve.getPrivateKey()), CONTEXT);
    await this.repository.insert({ name: NAME, publicKey, privateSealed });
    const made = await this.repository.byName(NAME);
    if (!made) throw new Error('The key for web push was not stored');
    return made;
  }
}

/** Pads to full length: the curve leaves out leading zeros. */
function privateBytes(key: Buffer): Buffer {
  return Buffer.concat([Buffer.alloc(PRIVATE_BYTES - key.length), key]);
}
