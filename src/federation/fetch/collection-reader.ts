import { Injectable } from '@nestjs/common';
import { ignoreUnreachable } from '../../platform/index.js';
import { sameHost } from '../wire/uris.js';
import { type Document, documentOf, isCollection, listOf, typeOf, uriOf } from '../wire/values.js';
import { DocumentFetcher } from './document-fetcher.js';

/** Pages of one collection that are read, unless more are asked for (threat S10). */
const MAX_PAGES = 5;

interface ReadOptions {
  readonly embedded?: Document | undefined;
  readonly pages?: number;
}

/** A collection of another server, as far as it is read. */
export interface Collected {
  /** Undefined when there is none. */
  readonly collection: Document | undefined;
  readonly items: readonly unknown[];
}

/** Reads collections of other servers: their items are embedded, or on pages that are embedded or have addresses. */
@Injectable()
export class CollectionReader {
  constructor(private readonly fetcher: DocumentFetcher) {}

  /**
   * The collection or page at an address, or one embedded in the document there, with at most `most` items of it and of the
   * `pages` that follow. A page that cannot be fetched ends it. Not inside a unit of work.
   * @throws OutboundError when another try may succeed
   */
  async read(address: string, most: number, { embedded, pages = MAX_PAGES }: ReadOptions = {}): Promise<Collected> {
    const collection = embedded ?? (await this.at(address));
    const items: unknown[] = [];
    const seen = new Set([address]);
    const isAllowed = (uri: string) => !seen.has(uri) && seen.size <= pages && sameHost(uri, address);
    for (let page = collection; page !== undefined && items.length < most;) {
      items.push(...listOf(page['orderedItems'] ?? page['items'], most - items.length));
      const next: unknown = page['next'] ?? page['first'];
      page = documentOf(next);
      const uri = uriOf(next);
      if (uri === undefined || !isAllowed(uri)) continue;
      seen.add(uri);
      page = await this.at(uri).catch(ignoreUnreachable); // some are better than none
    }
    return { collection, items };
  }

  private async at(address: string): Promise<Document | undefined> {
    const document = await this.fetcher.read(address);
    if (document === 'gone') return undefined;
    return typeOf(document) === undefined || isCollection(document) ? document : undefined;
  }
}
