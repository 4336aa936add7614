import { Injectable } from '@nestjs/common';
import { relationsOf } from '../../accounts/index.js';
import { type ReadCache, ReadCaches } from '../../platform/index.js';
import { NO_FOLLOWERS } from '../wire/followers-digest.js';
import { FollowersDigestRepository } from './followers-digest.repository.js';

const CACHE_BYTES = 2 * 1024 * 1024;
const HOST_BYTES = 200;

/** Digests of the followers of accounts of any server (FEP-8fcf), cached until the relations of the account change. */
@Injectable()
export class FollowersDigests {
  private readonly cache: ReadCache<ReadonlyMap<string, string>>;

  constructor(
    private readonly repository: FollowersDigestRepository,
    caches: ReadCaches,
  ) {
    this.cache = caches.create('follower digests', CACHE_BYTES, ({ size }) => HOST_BYTES * (size + 1));
  }

  /** The digest of the followers of an account that live on a host. */
  async ofHost(accountId: string, host: string): Promise<string> {
    const digests = await this.cache.find(accountId, async () => {
      const rows = await this.repository.digests(accountId);
      return { value: new Map(rows.map((row) => [row.host, hexOf(row.bits)])), subjects: [relationsOf(accountId)] };
    });
    return digests.get(host) ?? NO_FOLLOWERS;
  }
}

function hexOf(bits: string): string {
  return BigInt(`0b${bits}`).toString(16).padStart(NO_FOLLOWERS.length, '0');
}
