import { Inject, Injectable } from '@nestjs/common';
import { AccountsService, isActive } from '../accounts/index.js';
import { ENV, type Env, flakeKeyset, type KeysetQuery, knownUrl, parseUrl } from '../platform/index.js';
import { type PageRow, RemoteStatusLookup } from '../statuses/index.js';
import { searchTerms } from './search-terms.js';
import { type StatusSearch, StatusSearchRepository } from './status-search.repository.js';

/** A search for posts. */
export interface StatusCriteria extends KeysetQuery {
  /** Words, quoted phrases, `from:`, `has:`, excluded terms with a minus; or the address of one post. */
  readonly q: string;
  readonly offset: number;
  /** Restricts the search to posts of this author. */
  readonly account_id?: string | undefined;
  /** Whether a remote server may be asked for the post at an address; for signed-in viewers only. */
  readonly resolve: boolean;
}

const ADDRESS = /^https?:\/\/\S+$/i;
/** Paths of post pages that existing links use. */
const PAGE = /^\/(?:notice|@[^/]+|users\/[^/]+\/statuses)\/([A-Za-z0-9]+)\/?$/;

/** Finds posts by words or address. Returns only posts that the viewer may see (threat V4). */
@Injectable()
export class StatusSearchService {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly accounts: AccountsService,
    private readonly repository: StatusSearchRepository,
    private readonly remote: RemoteStatusLookup,
  ) {}

  /** Returns a page of posts, newest first; for an address, the one post. Not inside a unit of work. */
  async find(query: StatusCriteria, viewerId = ''): Promise<PageRow[]> {
    const text = query.q.trim();
    if (isAddress(text)) return query.offset === 0 ? this.at(text, viewerId, query.resolve) : [];
    const terms = searchTerms(text);
    const wanted: StatusSearch = {
      viewerId,
      keyset: flakeKeyset({ ...query, offset: 0 }), // a search may skip all that it examines
      text: terms.text ?? null,
      parts: terms.parts,
      missing: terms.missing,
      offset: query.offset,
    };
    if (terms.from === undefined && query.account_id === undefined) {
      return wanted.text === null ? this.repository.recent(wanted) : this.repository.withWords(wanted);
    }
    const from = terms.from === undefined ? query.account_id : await this.authorId(terms.from, viewerId);
    const isNobody = from === undefined || (query.account_id !== undefined && query.account_id !== from);
    return isNobody ? [] : this.repository.ofAuthor(from, wanted);
  }

  private async authorId(handle: string, viewerId: string): Promise<string | undefined> {
    if (handle.toLowerCase() === 'me') return viewerId === '' ? undefined : viewerId;
    const account = await this.accounts.stored(handle);
    return account && isActive(account) ? account.id : undefined;
  }

  private async at(address: string, viewerId: string, mayAsk: boolean): Promise<PageRow[]> {
    const { href, origin, pathname } = knownUrl(address);
    const isOurs = origin === knownUrl(this.env.baseUrl).origin;
    const known = await this.repository.at(href, isOurs ? (PAGE.exec(pathname)?.[1] ?? '') : '', viewerId);
    if (isOurs || !mayAsk || viewerId === '' || (await this.accounts.stored(address))) return known;
    const found = await this.remote.resolve(href);
    return found ? this.repository.at(found.uri, '', viewerId) : known;
  }
}

/** Whether the text is an address. */
export function isAddress(text: string): boolean {
  return ADDRESS.test(text) && parseUrl(text) !== null;
}
