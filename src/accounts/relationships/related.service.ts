import { Injectable } from '@nestjs/common';
import { Page, type PageQuery } from '../../common/index.js';
import { AnonymousAccess } from '../../config/index.js';
import { bigintKeyset, newestFirst } from '../../platform/index.js';
import type { AccountRow } from '../model/account.rows.js';
import {
  type BlockedAccount,
  type MutedAccount,
  type RelatedAccount,
  type RelatedList,
  RelatedRepository,
  type Wanted,
} from './related.repository.js';

/**
 * Accounts related to an account, latest first, paged by the relations' own ids. Leaves out inactive accounts and, for
 * visitors, profiles that are for members only.
 */
@Injectable()
export class RelatedAccountsService {
  constructor(
    private readonly repository: RelatedRepository,
    private readonly anonymous: AnonymousAccess,
  ) {}

  /** The followers of an account; empty when its owner hides them from the viewer (threat V11). */
  followers(account: AccountRow, query: PageQuery, viewerId?: string): Promise<Page<RelatedAccount>> {
    return this.shown('followers', account, account.hideFollowers, query, viewerId);
  }

  /** The followees of an account, like {@link followers}. */
  following(account: AccountRow, query: PageQuery, viewerId?: string): Promise<Page<RelatedAccount>> {
    return this.shown('following', account, account.hideFollows, query, viewerId);
  }

  /** The accounts that an account endorses; public. */
  endorsed(accountId: string, query: PageQuery, viewerId?: string): Promise<Page<RelatedAccount>> {
    return this.list('endorsed', accountId, query, viewerId);
  }

  /** The accounts that ask to follow an account. */
  requests(accountId: string, query: PageQuery): Promise<Page<RelatedAccount>> {
    return this.list('requests', accountId, query, accountId);
  }

  blocked(accountId: string, query: PageQuery): Promise<Page<BlockedAccount>> {
    return this.read(accountId, query, accountId, (wanted) => this.repository.blocked(wanted));
  }

  muted(accountId: string, query: PageQuery): Promise<Page<MutedAccount>> {
    return this.read(accountId, query, accountId, (wanted) => this.repository.muted(wanted));
  }

  private async shown(
    name: RelatedList,
    account: AccountRow,
    hides: boolean,
    query: PageQuery,
    viewerId?: string,
  ): Promise<Page<RelatedAccount>> {
    const isHidden = hides && account.id !== viewerId;
    return isHidden ? new Page<RelatedAccount>([], undefined) : this.list(name, account.id, query, viewerId);
  }

  private list(name: RelatedList, ownerId: string, query: PageQuery, viewerId?: string): Promise<Page<RelatedAccount>> {
    return this.read(ownerId, query, viewerId, (wanted) => this.repository.page(name, wanted));
  }

  private async read<Row extends { readonly cursor: string }>(
    ownerId: string,
    query: PageQuery,
    viewerId = '',
    rowsOf: (wanted: Wanted) => Promise<Row[]>,
  ): Promise<Page<Row>> {
    const keyset = bigintKeyset(query);
    const listed = this.anonymous.listedProfiles(viewerId);
    const rows = newestFirst(await rowsOf({ ownerId, keyset, offset: query.offset, listed }), keyset);
    const [first, last] = [rows.at(0), rows.at(-1)];
    return new Page(rows, first && last && { first: first.cursor, last: last.cursor });
  }
}
