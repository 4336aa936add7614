import { Injectable } from '@nestjs/common';
import { OutboundError } from '../../platform/index.js';
import { sameHost } from '../wire/uris.js';
import { type Document, documentOf, listOf, uriOf } from '../wire/values.js';
import { DocumentFetcher } from './document-fetcher.js';

/** Pages of one collection that are read (threat S10). */
const MAX_PAGES = 5;

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
   * pages that follow. Not inside a unit of work.
   * @throws OutboundError when another try may succeed
   */
  async read(address: string, most: number, embedded?: Document): Promise<Collected> {
    const collection = embedded ?? (await this.at(address));
    const items: unknown[] = [];
    const seen = new Set([address]);
    for (let page = collection; page !== undefined && items.length < most;) {
      items.push(...listOf(page['orderedItems'] ?? page['items'], most - items.length));
      const next: unknown = page['first'] ?? page['next'];
      page = documentOf(next) ?? (await this.next(uriOf(next), seen).catch(ignoreUnreachable)); // some are better than none
    }
    return { collection, items };
  }

  /** A page on the same server that was not read yet. */
  private async next(address: string | undefined, seen: Set<string>): Promise<Document | undefined> {
    const [first = ''] = seen;
    if (address === undefined || seen.has(address) || seen.size > MAX_PAGES || !sameHost(address, first))
      return undefined;
    seen.add(address);
    return this.at(address);
  }

  private async at(address: string): Promise<Document | undefined> {
    const document = await this.fetcher.read(address);
    return document === 'gone' ? undefined : document;
  }
}

function ignoreUnreachable(error: unknown): undefined {
  if (!(error instanceof OutboundError)) throw error;
}
