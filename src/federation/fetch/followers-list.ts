import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { sameHost } from '../wire/uris.js';
import { type Document, documentOf, idOf, listOf, typeOf } from '../wire/values.js';
import { DocumentFetcher } from './document-fetcher.js';

const COLLECTIONS: readonly unknown[] = ['Collection', 'OrderedCollection', 'CollectionPage', 'OrderedCollectionPage'];
const MAX_FOLLOWERS = 100_000;
const MAX_PAGES = 50;

/** Fetches lists of followers. */
@Injectable()
export class FollowersList {
  constructor(private readonly fetcher: DocumentFetcher) {}

  /** The ids in a collection that are wanted; undefined when there is none, or it is too long. */
  async fetch(url: string, isWanted: (uri: string) => boolean): Promise<string[] | undefined> {
    const uris: string[] = [];
    let page = await this.fetcher.fetch(url);
    for (let pages = 0; pages <= MAX_PAGES; pages += 1) {
      if (typeof page !== 'object' || !COLLECTIONS.includes(typeOf(page))) return undefined;
      const items = listOf(page['orderedItems'] ?? page['items'], MAX_FOLLOWERS).flatMap((item) => idOf(item) ?? []);
      uris.push(...items.filter(isWanted));
      if (uris.length >= MAX_FOLLOWERS) return undefined;
      const next: unknown = page['next'] ?? (pages === 0 ? page['first'] : undefined);
      if (next === undefined || next === null) return uris;
      page = documentOf(next) ?? (await this.nextPage(idOf(next), url));
    }
    return undefined;
  }

  private nextPage(uri: string | undefined, url: string): Promise<Document | 'gone' | undefined> {
    return uri !== undefined && sameHost(uri, url) ? this.fetcher.fetch(uri) : Promise.resolve(undefined);
  }
}

/** The XOR of the SHA-256 of ids (FEP-8fcf). */
export function digestOf(uris: readonly string[]): string {
  const total = Buffer.alloc(32);
  for (const uri of new Set(uris))
    createHash('sha256')
      .update(uri)
      .digest()
      .forEach((byte, at) => total.writeUInt8(total.readUInt8(at) ^ byte, at));
  return total.toString('hex');
}
