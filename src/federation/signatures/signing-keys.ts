import { createPrivateKey, type KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ServerKeyPairs } from '../../config/index.js';
import { entryLimit, ENV, type Env, generateActorKey, knownUrl, openSecret, SECRET_KEY } from '../../platform/index.js';
import { SigningKeyRepository } from './signing-key.repository.js';

/** A private key, and the address under which other servers find the public one. */
export interface SigningKey {
  readonly keyId: string;
  readonly privateKey: KeyObject;
}

interface InstanceKey extends SigningKey {
  readonly publicPem: string;
  readonly createdAt: Date;
}

/** The name of the instance actor's pair among the key pairs of the server. */
const INSTANCE_KEY = 'instance-actor';
const MAX_CACHED = 1_000;

/** The private keys of local actors, opened once and then kept in memory. */
@Injectable()
export class SigningKeys {
  private readonly opened = new LRUCache<string, SigningKey>(entryLimit(MAX_CACHED));
  private instance: Promise<InstanceKey> | undefined;

  constructor(
    @Inject(ENV) private readonly env: Env,
    @Inject(SECRET_KEY) private readonly secretKey: Buffer,
    private readonly keys: SigningKeyRepository,
    private readonly pairs: ServerKeyPairs,
  ) {}

  /** The key of a local account; undefined for an account without one, such as a deleted one. */
  async ofAccount(accountId: string): Promise<SigningKey | undefined> {
    const known = this.opened.get(accountId);
    if (known) return known;
    const stored = await this.keys.ofAccount(accountId);
    if (!stored) return undefined;
    const pem = openSecret(this.secretKey, stored.privateSealed, `actor-key:${accountId}`);
    const key = { keyId: keyIdOf(stored.apId), privateKey: createPrivateKey(pem) };
    this.opened.set(accountId, key);
    return key;
  }

  /** The key of the instance actor, which signs what no account does; made on first use. */
  ofInstance(): Promise<SigningKey> {
    return this.instanceKey();
  }

  /** The key of an actor that is no account: the relay actor shares the pair of the instance actor. */
  async ofServiceActor(actorUri: string): Promise<SigningKey> {
    return { ...(await this.instanceKey()), keyId: keyIdOf(actorUri) };
  }

  /** The public key of the instance actor, as PEM. */
  async instancePublicPem(): Promise<string> {
    return (await this.instanceKey()).publicPem;
  }

  /** When this server made its first key. */
  async instanceCreatedAt(): Promise<Date> {
    return (await this.instanceKey()).createdAt;
  }

  private instanceKey(): Promise<InstanceKey> {
    if (this.instance) return this.instance;
    const opened = this.openInstanceKey();
    this.instance = opened;
    opened.catch(() => (this.instance = undefined));
    return opened;
  }

  private async openInstanceKey(): Promise<InstanceKey> {
    const pair = await this.pairs.readOrMake(INSTANCE_KEY, async () => {
      const { publicPem, privatePem } = await generateActorKey();
      return { publicKey: publicPem, privateKey: Buffer.from(privatePem) };
    });
    const keyId = keyIdOf(instanceActorUri(this.env.baseUrl));
    const { publicKey: publicPem, createdAt } = pair;
    return { keyId, publicPem, createdAt, privateKey: createPrivateKey(this.pairs.open(pair)) };
  }
}

/** The id of the actor that stands for this server. */
export function instanceActorUri(baseUrl: string): string {
  return `${baseUrl}/internal/fetch`;
}

/** The id of the actor that follows relays, and announces public posts to those that follow it. */
export function relayActorUri(baseUrl: string): string {
  return `${baseUrl}/relay`;
}

/** The name of the instance actor: the domain of handles. A port is no part of a name. */
export function instanceActorName(handleDomain: string): string {
  return knownUrl(`http://${handleDomain}`).hostname;
}

/** The id of the key of a local actor. */
export function keyIdOf(actorUri: string): string {
  return `${actorUri}#main-key`;
}
