import { Injectable } from '@nestjs/common';
import type { ListedProfiles } from '../config/index.js';
import { Database, sql } from '../platform/index.js';
import { type AccountCounts, COUNT_COLUMNS, IS_ACTIVE } from './account.rows.js';
import { isWelcome } from './welcome.sql.js';

export type DirectoryOrder = 'active' | 'new';

/** Accounts looked at for a page: the newest ones; who lies beyond is not found, however active. */
const EXAMINED = 10_000;

type Where = 'here' | 'anywhere';

/** The candidates `found`, narrow and in the order of the page: they are asked about one by one until it is full. */
function found(order: DirectoryOrder, where: Where): string {
  const newest = `select id from accounts where discoverable and deactivated_at is null
      ${where === 'here' ? 'and domain is null' : ''} order by id desc limit ${EXAMINED}`;
  if (order === 'new') return newest;
  return `select c.id, t.last_status_at from (${newest}) c join account_stats t on t.account_id = c.id
    order by t.last_status_at desc nulls last, c.id desc`;
}

// $1 viewer, $2 limit, $3 offset, $4 people of this server, $5 others. Index: accounts_discoverable, accounts_discoverable_here.
function page(order: DirectoryOrder, where: Where) {
  return sql<AccountCounts>(
    `accounts.directory_${order}_${where}`,
    `select ${COUNT_COLUMNS} from (${found(order, where)}) found join accounts a on a.id = found.id
       join account_stats s on s.account_id = a.id left join users u on u.account_id = a.id
     where a.moved_to_id is null and case when a.domain is null then $4::boolean else $5::boolean end and ${IS_ACTIVE} and ${isWelcome('a', '$1')}
     order by ${order === 'active' ? 'found.last_status_at desc nulls last, ' : ''}found.id desc limit $2 offset $3`,
  );
}

const pages = {
  active: { here: page('active', 'here'), anywhere: page('active', 'anywhere') },
  new: { here: page('new', 'here'), anywhere: page('new', 'anywhere') },
};

/** Which page of the directory. */
export interface DirectoryPage {
  readonly order: DirectoryOrder;
  /** Only people of this server. */
  readonly local: boolean;
  readonly limit: number;
  readonly offset: number;
}

/** Reads who wants to be found. */
@Injectable()
export class DirectoryRepository {
  constructor(private readonly db: Database) {}

  /** Those who posted last, or who came last. */
  page(
    { order, local, limit, offset }: DirectoryPage,
    viewerId: string,
    { here, elsewhere }: ListedProfiles,
  ): Promise<AccountCounts[]> {
    return this.db.rows(pages[order][local ? 'here' : 'anywhere'], [viewerId, limit, offset, here, elsewhere]);
  }
}
