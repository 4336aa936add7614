import { Injectable } from '@nestjs/common';
import { Page, type PageQuery } from '../../common/index.js';
import { bigintKeyset, newestFirst } from '../../platform/index.js';
import type { AccountRow } from '../model/account.rows.js';
import {
  type BlockedAccount,
  type MutedAccount,
  type RelatedAccount,
  type RelatedList,
  RelatedRepository,
} from './related.repository.js';

/** Accounts related to an account, latest first, paged by the relations' own ids. Inactive accounts are left out. */
@Injectable()
export class RelatedAccountsService {
  constructor(private readonly repository: RelatedRepository) {}

  /** The followers of an account; empty when its owner hides them from the viewer (threat V11). */
  followers(account: AccountRow, query: PageQuery, viewerId?: string): Promise<Page<RelatedAccount>> {
    return this.shown('followers', account, account.hideFollowers && account.id !== viewerId, query);
  }

  /** The followees of an account, like {@link followers}. */
  following(account: AccountRow, query: PageQuery, viewerId?: string): Promise<Page<RelatedAccount>> {
    return this.shown('following', account, account.hideFollows && account.id !== viewerId, query);
  }

  /** The accounts that an account endorses; public. */
  endorsed(accountId: string, query: PageQuery): Promise<Page<RelatedAccount>> {
    return this.list('endorsed', accountId, query);
  }

  /** The accounts that ask to follow an account. */
  requests(accountId: string, query: PageQuery): Promise<Page<RelatedAccount>> {
    return this.list('requests', accountId, query);
  }

  blocked(accountId: string, query: PageQuery): Promise<Page<BlockedAccount>> {
    return pageOf(query, (keyset) => this.repository.blocked(accountId, keyset, query.offset));
  }

  muted(accountId: string, query: PageQuery): Promise<Page<MutedAccount>> {
    return pageOf(query, (keyset) => this.repository.muted(accountId, keyset, query.offset));
  }

  private async shown(
    name: RelatedList,
    account: AccountRow,
    isHidden: boolean,
    query: PageQuery,
  ): Promise<Page<RelatedAccount>> {
    return isHidden ? new Page<RelatedAccount>([], undefined) : this.list(name, account.id, query);
  }

  private list(name: RelatedList, accountId: string, query: PageQuery): Promise<Page<RelatedAccount>> {
    return pageOf(query, (keyset) => this.repository.page(name, accountId, keyset, query.offset));
  }
}

async function pageOf<Row extends { readonly cursor: string }>(
  query: PageQuery,
  read: (keyset: ReturnType<typeof bigintKeyset>) => Promise<Row[]>,
): Promise<Page<Row>> {
  const keyset = bigintKeyset(query);
  const rows = newestFirst(await read(keyset), keyset);
  const [first, last] = [rows.at(0), rows.at(-1)];
  return new Page(rows, first && last && { first: first.cursor, last: last.cursor });
}
