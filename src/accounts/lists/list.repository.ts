import { Injectable } from '@nestjs/common';
import { Database, type Keyset, sql, type Statement, UnitOfWork } from '../../platform/index.js';
import { ACCOUNT_TABLES, COUNT_COLUMNS, IS_ACTIVE } from '../model/account.sql.js';
import { List, type RepliesPolicy } from './list.entities.js';
import type { RelatedAccount } from '../relationships/related.repository.js';

/** A list; its columns have the names of the entity. */
export type ListRow = Readonly<Pick<List, keyof typeof SHOWN>>;

/** The settings of a list; an undefined one stays. */
export interface ListChanges {
  readonly title: string;
  readonly exclusive?: boolean | undefined;
  readonly repliesPolicy?: RepliesPolicy | undefined;
}

/** Omitted fields stay unchanged. */
export type ListUpdate = { readonly [K in keyof ListChanges]?: ListChanges[K] | undefined };

/** The result of adding members. */
export interface AddedMembers {
  /** The accounts that may be members. */
  readonly found: number;
  /** The size of the list after the change. */
  readonly members: number;
}

const SHOWN = { id: true, title: true, repliesPolicy: true, exclusive: true } as const;
const COLUMNS = 'l.id, l.title, l.replies_policy as "repliesPolicy", l.exclusive';

// Index: list_members_account.
const withMember = sql<ListRow>(
  'lists.with_member',
  `select ${COLUMNS} from list_members m join lists l on l.id = m.list_id
   where m.account_id = $2 and l.account_id = $1 order by l.id`,
);

const insert = sql<ListRow>(
  'lists.insert',
  `insert into lists as l (account_id, title, exclusive, replies_policy)
   select $1, $2, coalesce($3::boolean, false), coalesce($4::text, 'list')
   where (select count(*) from lists where account_id = $1) < $5::int
   returning ${COLUMNS}`,
);

const update = sql<ListRow>(
  'lists.update',
  `update lists l set title = coalesce($3, l.title), exclusive = coalesce($4, l.exclusive), replies_policy = coalesce($5, l.replies_policy)
   where l.id = $2::bigint and l.account_id = $1 returning ${COLUMNS}`,
);

// Locks the list: the count of members stays right and the list is not deleted meanwhile.
const lock = sql<{ id: string }>(
  'lists.lock',
  `select id from lists where id = $2::bigint and account_id = $1 for no key update`,
);

// Locks the follows in one order. Waits for a follow that ends now, and then finds none.
const addMembers = sql<AddedMembers>(
  'lists.add_members',
  `with followed as materialized (
     select f.id, f.followee_id from follows f
     where f.follower_id = $1 and f.followee_id = any($3::text[]) order by f.id for key share
   ), found as (
     select followee_id as account_id, id as follow_id from followed
     union all select $1::text, null where $1 = any($3::text[])
   ), added as (
     insert into list_members (list_id, account_id, follow_id)
     select $2::bigint, account_id, follow_id from found on conflict do nothing returning 1
   )
   select (select count(*)::int from found) as found,
     (select count(*)::int from list_members where list_id = $2::bigint) + (select count(*)::int from added) as members`,
);

const removeMembers = sql(
  'lists.remove_members',
  `with own as (select id from lists where id = $2::bigint and account_id = $1),
     removed as (delete from list_members m using own where m.list_id = own.id and m.account_id = any($3::text[]))
   select from own`,
);

/** The active members of a list. Index: list_members_page. */
function page(direction: Keyset['direction']): Statement<RelatedAccount> {
  return sql(
    `lists.members.${direction}`,
    `select m.id as cursor, ${COUNT_COLUMNS} from ${ACCOUNT_TABLES} join list_members m on m.account_id = a.id
     where m.list_id = $1::bigint and m.id < $2::bigint and m.id > $3::bigint and ${IS_ACTIVE}
     order by m.id ${direction === 'older' ? 'desc' : 'asc'} limit $4 offset $5`,
  );
}

const pages = { older: page('older'), newer: page('newer') };

/** All SQL on `lists` and `list_members`. Ids of lists are decimal; lists of other owners are not found. */
@Injectable()
export class ListRepository {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  /** Oldest first. Index: lists_account. */
  ofOwner(ownerId: string): Promise<ListRow[]> {
    return this.uow.manager.find(List, { select: SHOWN, where: { accountId: ownerId }, order: { id: 'ASC' } });
  }

  async own(ownerId: string, id: string): Promise<ListRow | undefined> {
    const where = { id, accountId: ownerId };
    return (await this.uow.manager.findOne(List, { select: SHOWN, where })) ?? undefined;
  }

  /** The owner's lists that an account is on. */
  withMember(ownerId: string, memberId: string): Promise<ListRow[]> {
    return this.db.rows(withMember, [ownerId, memberId]);
  }

  /** Undefined when the owner has `max` lists. Inside a unit that holds the lock of the owner. */
  insert(ownerId: string, { title, exclusive, repliesPolicy }: ListChanges, max: number): Promise<ListRow | undefined> {
    return this.db.first(insert, [ownerId, title, exclusive ?? null, repliesPolicy ?? null, max]);
  }

  update(ownerId: string, id: string, changes: ListUpdate): Promise<ListRow | undefined> {
    const { title, exclusive, repliesPolicy } = changes;
    return this.db.first(update, [ownerId, id, title ?? null, exclusive ?? null, repliesPolicy ?? null]);
  }

  /** Returns whether there was such a list. */
  async remove(ownerId: string, id: string): Promise<boolean> {
    return (await this.uow.manager.delete(List, { id, accountId: ownerId })).affected === 1;
  }

  /** Locks the additions to a list for the open unit; false when there is no list. */
  async lock(ownerId: string, id: string): Promise<boolean> {
    return (await this.db.first(lock, [ownerId, id])) !== undefined;
  }

  /** Adds accounts that the owner follows or has asked to, and the owner, to a list; members stay. Inside a unit that holds the lock of the list. */
  async addMembers(ownerId: string, id: string, accountIds: readonly string[]): Promise<AddedMembers> {
    return (await this.db.first(addMembers, [ownerId, id, accountIds])) ?? { found: 0, members: 0 };
  }

  /** Removes accounts from a list; false when there is no such list. */
  async removeMembers(ownerId: string, id: string, accountIds: readonly string[]): Promise<boolean> {
    return (await this.db.rows(removeMembers, [ownerId, id, accountIds])).length > 0;
  }

  members(id: string, { direction, below, above, limit }: Keyset, offset: number): Promise<RelatedAccount[]> {
    return this.db.rows(pages[direction], [id, below, above, limit, offset]);
  }
}

/**
 * The accounts, as `id`, that are on lists whose members do not appear in the owner's home timeline; never the owner.
 * Index: lists_exclusive.
 */
export function exclusiveMembers(owner: string): string {
  return `select m.account_id as id from lists l join list_members m on m.list_id = l.id
    where l.account_id = ${owner} and l.exclusive and m.account_id <> ${owner}`;
}
