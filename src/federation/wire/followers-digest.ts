import { createHash } from 'node:crypto';
import { sameHost } from './uris.js';
import { uriOf } from './values.js';

/** The header that tells another server which of its accounts follow the author (FEP-8fcf). */
export const SYNCHRONIZATION = 'collection-synchronization';

/** The digest of no followers. */
export const NO_FOLLOWERS = '0'.repeat(64);

/** What an actor says of its followers on the server that reads it. */
export interface FollowersClaim {
  readonly digest: string;
  /** The collection of these followers. */
  readonly url: string;
}

/** The digest of ids of followers: the XOR of the SHA-256 of each. */
export function followersDigest(uris: ReadonlySet<string>): string {
  const total = Buffer.alloc(NO_FOLLOWERS.length / 2);
  for (const uri of uris)
    createHash('sha256')
      .update(uri)
      .digest()
      .forEach((byte, at) => total.writeUInt8(total.readUInt8(at) ^ byte, at));
  return total.toString('hex');
}

/** The followers of an actor, whose collection `followersUrl` is, as a header. */
export function writeSynchronization(followersUrl: string, { digest, url }: FollowersClaim): string {
  return `collectionId="${followersUrl}", url="${url}", digest="${digest}"`;
}

/** Reads a header; undefined when it is not of this collection, or leads to another server. */
export function readSynchronization(header: string, followersUrl: string): FollowersClaim | undefined {
  const parameters = new Map(
    [...header.slice(0, 6_000).matchAll(/(?<!\w)(\w+)="([^"]*)"/g)].map(([, name, text]) => [name, text]),
  );
  const [url, digest] = [uriOf(parameters.get('url')), parameters.get('digest')?.toLowerCase()];
  if (parameters.get('collectionId') !== followersUrl || url === undefined || !sameHost(url, followersUrl))
    return undefined;
  return digest !== undefined && /^[0-9a-f]{64}$/.test(digest) ? { digest, url } : undefined;
}
