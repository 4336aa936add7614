import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type AccountRow, type HiddenParts, RemoteAccountsService } from '../../accounts/index.js';
import { ignoreUnreachable } from '../../platform/index.js';
import { sameHost } from '../wire/uris.js';
import { type Document, documentOf, isCollection, listOf, sizeOf, uriOf } from '../wire/values.js';
import { DocumentFetcher } from './document-fetcher.js';

export type RelationName = 'followers' | 'following';

const RELATIONS: readonly RelationName[] = ['followers', 'following'];

/**
 * Finds out whether accounts of other servers hide their followers and whom they follow. A hidden collection, or its first page,
 * answers 401 or 403, or the collection has neither items nor a first page. Other answers change nothing: failures, and documents
 * whose type is no collection.
 */
@Injectable()
export class HiddenCollections {
  constructor(
    private readonly fetcher: DocumentFetcher,
    private readonly store: RemoteAccountsService,
  ) {}

  /** Asks for one of the two collections, chosen at random: at most two more requests for each refreshed account. */
  async refresh(account: AccountRow): Promise<void> {
    const name = RELATIONS[randomInt(RELATIONS.length)];
    if (name !== undefined) await this.check(account, name);
  }

  /** Stores whether a collection is hidden, and returns it as far as its server serves it. */
  async check(account: AccountRow, name: RelationName): Promise<Document | undefined> {
    const url = account[`${name}Url`];
    const found = url === null ? undefined : await this.read(url);
    const collection = isCollection(found) ? found : undefined;
    const isHidden = found === 'closed' || (collection && url ? await this.hidesItems(collection, url) : undefined);
    await this.store.updateHidden(account, partsOf(name, isHidden, collection && sizeOf(collection) === undefined));
    return collection;
  }

  private async hidesItems(collection: Document, url: string): Promise<boolean | undefined> {
    const isShown = showsItems(collection);
    if (isShown !== undefined) return isShown ? false : undefined;
    const { first } = collection;
    if (first === undefined || first === null) return true;
    const address = uriOf(first);
    if (address !== undefined && !sameHost(address, url)) return undefined;
    const page = address === undefined ? documentOf(first) : await this.read(address);
    if (page === 'closed') return true;
    return showsItems(documentOf(page)) === true ? false : undefined;
  }

  private read(url: string) {
    return this.fetcher.readOrClosed(url).catch(ignoreUnreachable);
  }
}

/** Whether there are items; undefined where there is not even an empty list. */
function showsItems(page: Document | undefined): boolean | undefined {
  const items = page?.['orderedItems'] ?? page?.['items'];
  return items === undefined ? undefined : listOf(items, 1).length > 0;
}

function partsOf(name: RelationName, isHidden: boolean | undefined, isUncounted: boolean | undefined): HiddenParts {
  if (name === 'followers') return { hideFollowers: isHidden, hideFollowersCount: isUncounted };
  return { hideFollows: isHidden, hideFollowsCount: isUncounted };
}
