import { createECDH } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { ServerKey } from './server-key.entity.js';
import { type KeyPair, ServerKeyPairs } from './server-key-pairs.js';

/** Both halves in the form of web push: base64url, the public one an uncompressed point of 65 bytes. */
export interface VapidPair {
  readonly publicKey: string;
  readonly privateKey: string;
}

const NAME = 'vapid';
const PRIVATE_BYTES = 32;

/**
 * The key pair that signs pushes (RFC 8292). Apps bind their subscriptions to the public half, so the pair is created
 * once and never changes.
 */
@Injectable()
export class VapidKeys {
  private stored: Promise<ServerKey> | undefined;

  constructor(private readonly pairs: ServerKeyPairs) {}

  /** The public half, for subscriptions: `vapid_key`, `server_key`. */
  async publicKey(): Promise<string> {
    return (await this.key()).publicKey;
  }

  /** Both halves. Throws when this SECRET_KEY does not open the private one. */
  async pair(): Promise<VapidPair> {
    const key = await this.key();
    return { publicKey: key.publicKey, privateKey: this.pairs.open(key).toString('base64url') };
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
    const stored = this.pairs.readOrMake(NAME, newPair);
    this.stored = stored;
    stored.catch(() => (this.stored = undefined));
    return stored;
  }
}

function newPair(): KeyPair {
  const curve = createECDH('prime256v1');
  const publicKey = curve.generateKeys('base64url');
  return { publicKey, privateKey: privateBytes(curve.getPrivateKey()) };
}

/** Pads to full length: the curve leaves out leading zeros. */
function privateBytes(key: Buffer): Buffer {
  return Buffer.concat([Buffer.alloc(PRIVATE_BYTES - key.length), key]);
}
