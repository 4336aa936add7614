import { createPublicKey, type KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { keyBy } from '../../common/index.js';
import {
  Bus,
  DAILY,
  entryLimit,
  ENV,
  type Env,
  Metrics,
  OutboundError,
  Recurs,
  UnitOfWork,
} from '../../platform/index.js';
import { parseActor, type RemoteActor } from '../wire/remote-actor.js';
import { hostOf, sameHost } from '../wire/uris.js';
import { type Document, idOf, textOf, uriOf } from '../wire/values.js';
import { KeyDocuments } from './key-documents.port.js';
import { type KeyOwner, type PublicKey, RemoteKeyRepository } from './remote-key.repository.js';

/** A key of an actor of another server. */
export interface RemoteKey {
  readonly keyId: string;
  readonly ownerUri: string;
  readonly key: KeyObject;
  /** Where the server of the owner takes activities; null when that was not stored. */
  readonly inbox: string | null;
}

/** Why there is no key: its server says that it is gone, cannot be reached now, or names no such key. */
export type NoKey = 'gone' | 'unreachable' | 'unknown';

const KEPT_DAYS = 30;
const MINUTE_MS = 60_000;
const MAX_CACHED = 5_000;
const FOUND_MS = 60 * MINUTE_MS;
/** How long an answer without a key is believed. */
const MISSED_MS: Readonly<Record<NoKey, number>> = {
  gone: 10 * MINUTE_MS,
  unknown: 10 * MINUTE_MS,
  unreachable: MINUTE_MS,
};
/** How often an actor whose signatures fail is asked for new keys (threat F19). */
const REFETCH_MS = 10 * MINUTE_MS;

/** The bus channel with the address of an actor whose keys were stored. */
const KEYS_STORED = 'signatures.keys-stored';

/** How long, and for how many actors, a document that was fetched for its key serves for the account too. */
const OWNER_MS = 10_000;
const MAX_OWNERS = 100;

/** Bounds of accepted keys: small enough to verify quickly, and as large as those of servers of long ago. */
const MIN_BITS = 1_024;
const MAX_BITS = 8_192;
const MAX_EXPONENT = 2n ** 32n;

/** The public keys of actors of other servers: in memory, in `remote_keys`, or fetched. */
@Injectable()
export class RemoteKeys {
  private readonly cached = new LRUCache<string, RemoteKey | NoKey>(entryLimit(MAX_CACHED));
  private readonly asked = new LRUCache<string, true>({ ...entryLimit(MAX_CACHED), ttl: REFETCH_MS });
  private readonly owners = new LRUCache<string, RemoteActor>({ ...entryLimit(MAX_OWNERS), ttl: OWNER_MS });
  private readonly fetches = new Map<string, Promise<RemoteKey | NoKey>>();
  private readonly ownHost: string | undefined;
  /** How often keys were stored by any process. */
  private stores = 0;

  constructor(
    @Inject(ENV) env: Env,
    private readonly keys: RemoteKeyRepository,
    private readonly documents: KeyDocuments,
    private readonly uow: UnitOfWork,
    private readonly bus: Bus,
    metrics: Metrics,
  ) {
    this.ownHost = hostOf(env.baseUrl);
    metrics.watchCache('remote keys', {
      get entries() {
        return cached.size;
      },
    });
    const { cached } = this;
    bus.subscribe(KEYS_STORED, (ownerUri) => this.drop((known) => known.ownerUri === ownerUri));
    bus.onGap(() => this.drop(() => true));
  }

  /** The key of an id, as long as an actor of the same server names it as its own. */
  async find(keyId: string): Promise<RemoteKey | NoKey> {
    const known = this.cached.get(keyId);
    if (known !== undefined) return known;
    if (uriOf(keyId) === undefined || hostOf(keyId) === this.ownHost) return 'unknown';
    return (await this.stored(keyId)) ?? this.fetchOnce(keyId);
  }

  /**
   * The key as its owner names it now; undefined when the owner was asked less than 10 minutes ago. While it cannot be
   * reached or is gone, the known key holds: wrong signatures keep no activities away, such as the deletion of the owner.
   */
  async refetch(known: RemoteKey): Promise<RemoteKey | NoKey | undefined> {
    const { keyId, ownerUri } = known;
    if (this.asked.has(ownerUri)) return undefined;
    const newer = await this.fetchOnce(keyId);
    if (newer === 'unreachable' || newer === 'gone') {
      this.asked.set(ownerUri, true, { ttl: MISSED_MS[newer] });
      this.cache(keyId, known);
    }
    return newer;
  }

  /**
   * The actor, once, if it was fetched for its key a moment ago: the activity that it signed needs its account next. It is
   * what its own server serves under this id.
   */
  consumeOwner(ownerUri: string): RemoteActor | undefined {
    const owner = this.owners.get(ownerUri);
    this.owners.delete(ownerUri);
    return owner;
  }

  /**
   * Stores the keys that an actor names, instead of all it named before. Those that are of no use are left out, and of two
   * with one id the second. All processes forget the former ones after the commit.
   */
  async store(owner: KeyOwner, keys: readonly PublicKey[]): Promise<void> {
    const { uri: ownerUri, inbox } = owner;
    const read = keys.flatMap(({ keyId, pem }) => {
      const key = keyOf(pem);
      return key ? [{ keyId, pem, key }] : [];
    });
    const usable = [...keyBy(read.toReversed(), ({ keyId }) => keyId).values()];
    await this.keys.replace(owner, usable);
    this.uow.afterCommit(() => {
      this.bus.publish(KEYS_STORED, ownerUri);
      for (const { keyId, key } of usable) this.cache(keyId, { keyId, ownerUri, key, inbox });
    });
  }

  /** Removes keys that were fetched a month ago: their owners are asked again. */
  @Recurs({ job: 'signatures.purge-keys', everyMinutes: DAILY })
  async purge(): Promise<void> {
    await this.keys.purge(KEPT_DAYS);
  }

  private drop(isGone: (known: RemoteKey) => boolean): void {
    this.stores += 1;
    for (const [keyId, known] of this.cached.entries())
      if (typeof known === 'object' && isGone(known)) this.cached.delete(keyId);
  }

  /** The stored key, which is cached unless keys were stored meanwhile. */
  private async stored(keyId: string): Promise<RemoteKey | undefined> {
    const { stores } = this;
    const row = await this.keys.byId(keyId);
    const key = row && keyOf(row.publicPem);
    if (!key) return undefined;
    const found = { keyId, ownerUri: row.ownerUri, key, inbox: row.inbox };
    return stores === this.stores ? this.cache(keyId, found) : found;
  }

  /** Callers that need the same key share one fetch. */
  private fetchOnce(keyId: string): Promise<RemoteKey | NoKey> {
    const running = this.fetches.get(keyId);
    if (running) return running;
    const fetching = this.uow.outside(() => this.fetch(keyId)).finally(() => this.fetches.delete(keyId));
    this.fetches.set(keyId, fetching);
    return fetching;
  }

  private async fetch(keyId: string): Promise<RemoteKey | NoKey> {
    try {
      const actor = await this.ownerOf(keyId);
      if (typeof actor !== 'object') return this.cache(keyId, actor);
      this.asked.set(actor.uri, true);
      this.owners.set(actor.uri, actor);
      await this.store(keyOwnerOf(actor), namedKeys(keyId, actor));
      const found = this.cached.get(keyId);
      return typeof found === 'object' ? found : this.cache(keyId, 'unknown');
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return error.kind === 'busy' ? 'unreachable' : this.cache(keyId, 'unreachable');
    }
  }

  /** The actor behind a key id: its document is under that address, or a document of the key names it. */
  private async ownerOf(keyId: string): Promise<RemoteActor | 'gone' | 'unknown'> {
    const document = await this.documents.fetch(keyId.replace(/#.*$/, ''));
    if (document === 'gone') return 'gone';
    const actor = parseActor(document);
    if (actor) return sameHost(actor.uri, keyId) ? actor : 'unknown';
    const owner = document && ownerNamedIn(document);
    if (owner === undefined || !sameHost(owner, keyId)) return 'unknown';
    const other = await this.documents.fetch(owner);
    if (other === 'gone') return 'gone';
    const named = parseActor(other);
    return named && named.uri === owner ? withKeyOf(named, keyId, document) : 'unknown';
  }

  private cache<T extends RemoteKey | NoKey>(keyId: string, value: T): T {
    const answer: RemoteKey | NoKey = value;
    this.cached.set(keyId, answer, { ttl: typeof answer === 'string' ? MISSED_MS[answer] : FOUND_MS });
    return value;
  }
}

/** An actor as the owner of its keys. */
export function keyOwnerOf({ uri, inboxUrl, sharedInboxUrl }: RemoteActor): KeyOwner {
  return { uri, inbox: sharedInboxUrl ?? inboxUrl };
}

/** The keys that an actor names. Some servers sign with the id of the actor as the id of its one key. */
function namedKeys(keyId: string, { uri, keys }: RemoteActor): PublicKey[] {
  const named = keys.flatMap(({ id, pem }) => (pem === null ? [] : [{ keyId: id, pem }]));
  const first = named[0];
  return keyId === uri && first && !named.some((key) => key.keyId === uri) ? [...named, { ...first, keyId }] : named;
}

/** An actor may name a key by its id only, in which case the document of the key has it. */
function withKeyOf(actor: RemoteActor, keyId: string, document: Document | undefined): RemoteActor {
  const pem = textOf(document?.['publicKeyPem']) ?? null;
  const isOfKey = document !== undefined && idOf(document) === keyId;
  const keys = actor.keys.map((key) => (isOfKey && key.id === keyId ? { ...key, pem: key.pem ?? pem } : key));
  return { ...actor, keys };
}

function ownerNamedIn(document: Document): string | undefined {
  const key = document['publicKey'];
  const embedded = typeof key === 'object' && key !== null && 'owner' in key ? key.owner : undefined;
  return idOf(document['owner']) ?? idOf(embedded);
}

/** The key of a PEM; undefined unless it is a public RSA key of a reasonable size. */
function keyOf(pem: string): KeyObject | undefined {
  if (!/^\s*-----BEGIN (?:RSA )?PUBLIC KEY-----/.test(pem)) return undefined;
  try {
    const key = createPublicKey(pem);
    const { modulusLength: bits = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
    const isUsable = bits >= MIN_BITS && bits <= MAX_BITS && publicExponent > 1n && publicExponent < MAX_EXPONENT;
    return key.asymmetricKeyType === 'rsa' && isUsable ? key : undefined;
  } catch {
    return undefined;
  }
}
