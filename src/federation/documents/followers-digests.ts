import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { relationsOf } from '../../accounts/index.js';
import { ReadCaches } from '../../platform/index.js';
import { NO_FOLLOWERS } from '../wire/followers-digest.js';
import { FollowersDigestRepository } from './followers-digest.repository.js';

const CACHE_BYTES = 6 * 1024 * 1024;
const HOST_BYTES = 200;
const MAX_AGE_MS = 60_000;
/** With followers on more servers than this, digests are not read again at each change of one. */
const MANY_HOSTS = 500;

interface Digests {
  readonly byHost: ReadonlyMap<string, string>;
  /** On the clock of the changes. */
  readonly readAt: number;
}

/**
 * Digests of the followers of accounts on another server (FEP-8fcf), read once for all deliveries of a post: until the
 * relations of the account change, those of followers on many servers for up to a minute. Who gets an old digest asks for
 * the list of today.
 */
@Injectable()
export class FollowersDigests {
  private readonly known: LRUCache<string, Digests>;

  constructor(
    private readonly repository: FollowersDigestRepository,
    private readonly caches: ReadCaches,
  ) {
    this.known = new LRUCache({
      maxSize: CACHE_BYTES,
      ttl: MAX_AGE_MS,
      sizeCalculation: ({ byHost }) => HOST_BYTES * (byHost.size + 1),
      fetchMethod: (accountId) => this.read(accountId),
      ignoreFetchAbort: true, // who waits for what has to leave again gets it
    });
  }

  /** The digest of the followers of an account that live on a host. */
  async ofHost(accountId: string, host: string): Promise<string> {
    const known = this.known.get(accountId);
    const digests = await this.known.fetch(accountId, {
      forceRefresh: known !== undefined && !this.isOfUse(accountId, known),
    });
    return digests?.byHost.get(host) ?? NO_FOLLOWERS;
  }

  private async read(accountId: string): Promise<Digests> {
    const readAt = this.caches.changes?.now ?? 0;
    const rows = await this.repository.digests(accountId);
    return { byHost: new Map(rows.map(({ host, bits }) => [host, hexOf(bits)])), readAt };
  }

  private isOfUse(accountId: string, { byHost, readAt }: Digests): boolean {
    return byHost.size > MANY_HOSTS || (this.caches.changes?.isCurrent([relationsOf(accountId)], readAt) ?? false);
  }
}

function hexOf(bits: string): string {
  return BigInt(`0b${bits}`).toString(16).padStart(NO_FOLLOWERS.length, '0');
}
