import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/index.js';
import type { AccountCounts } from '../model/account.rows.js';
import { COUNT_COLUMNS, IS_ACTIVE } from '../model/account.sql.js';
import { subjectsOfAccounts } from '../model/subjects.js';
import { isSuggestible } from './discoverability.sql.js';

export type DirectoryOrder = 'active' | 'new';

/** A page considers this many of the newest accounts; older ones are not found, however active. */
const EXAMINED = 10_000;

/** Considers local accounts, remote ones, or both. */
export type DirectoryScope = 'here' | 'elsewhere' | 'anywhere';

const SCOPES: Readonly<Record<DirectoryScope, string>> = {
  here: 'and domain is null',
  elsewhere: 'and domain is not null',
  anywhere: '',
};

/** The candidates `found`, narrow and in the order of the page; each is checked until the page is full. */
function found(order: DirectoryOrder, scope: DirectoryScope): string {
  const newest = `select id from accounts where discoverable and deactivated_at is null
      ${SCOPES[scope]} order by id desc limit ${EXAMINED}`;
  if (order === 'new') return newest;
  return `select c.id, t.last_status_at from (${newest}) c join account_stats t on t.account_id = c.id
    order by t.last_status_at desc nulls last, c.id desc`;
}

// $1 viewer, $2 limit, $3 offset. Index: accounts_discoverable, accounts_discoverable_here.
function page(order: DirectoryOrder, scope: DirectoryScope) {
  return sql<AccountCounts>(
    `accounts.directory_${order}_${scope}`,
    `select ${COUNT_COLUMNS} from (${found(order, scope)}) found join accounts a on a.id = found.id
       join account_stats s on s.account_id = a.id left join users u on u.account_id = a.id
     where a.moved_to_id is null and ${IS_ACTIVE} and ${isSuggestible('a', '$1')}
     order by ${order === 'active' ? 'found.last_status_at desc nulls last, ' : ''}found.id desc limit $2 offset $3`,
    { replica: subjectsOfAccounts },
  );
}

const pagesBy = (order: DirectoryOrder) => ({
  here: page(order, 'here'),
  elsewhere: page(order, 'elsewhere'),
  anywhere: page(order, 'anywhere'),
});
const pages = { active: pagesBy('active'), new: pagesBy('new') };

/** Reads discoverable accounts. */
@Injectable()
export class DirectoryRepository {
  constructor(private readonly db: Database) {}

  /** Order: the latest post first, or the newest account first. */
  page(
    order: DirectoryOrder,
    scope: DirectoryScope,
    viewerId: string,
    limit: number,
    offset: number,
  ): Promise<AccountCounts[]> {
    return this.db.rows(pages[order][scope], [viewerId, limit, offset]);
  }
}
