import { Injectable } from '@nestjs/common';
import { NotFound, Page, phrase, unique, Unprocessable } from '../../common/index.js';
import {
  bigintKeyset,
  isBigintId,
  type KeysetQuery,
  newestFirst,
  OwnerLocks,
  UnitOfWork,
} from '../../platform/index.js';
import { type ListChanges, type ListUpdate, type ListRow, ListRepository } from './list.repository.js';
import type { RelatedAccount } from '../relationships/related.repository.js';

/** Most lists of one account. */
const MAX_LISTS = 100;
/** Most members of one list; it bounds a request for all of them. */
const MAX_MEMBERS = 1_000;

/** Lists of followees. Lists of other owners are not found (threat V8). */
@Injectable()
export class ListsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly locks: OwnerLocks,
    private readonly lists: ListRepository,
  ) {}

  /** Oldest first. */
  all(ownerId: string): Promise<ListRow[]> {
    return this.lists.ofOwner(ownerId);
  }

  /** The owner's lists that an account is on. */
  withMember(ownerId: string, memberId: string): Promise<ListRow[]> {
    return this.lists.withMember(ownerId, memberId);
  }

  /** Undefined when the owner has no such list. */
  async find(ownerId: string, id: string): Promise<ListRow | undefined> {
    return isBigintId(id) ? this.lists.own(ownerId, id) : undefined;
  }

  /** Throws NotFound. */
  async one(ownerId: string, id: string): Promise<ListRow> {
    return found(await this.find(ownerId, id));
  }

  /** Throws Unprocessable when the owner has too many lists. */
  create(ownerId: string, options: ListChanges): Promise<ListRow> {
    return this.uow.run(async () => {
      const [, list] = await Promise.all([
        this.locks.lock('lists', ownerId),
        this.lists.insert(ownerId, options, MAX_LISTS),
      ]);
      if (!list) throw new Unprocessable(phrase('You can have {max} lists at most', { max: MAX_LISTS }));
      return list;
    });
  }

  /** Throws NotFound. */
  async update(ownerId: string, id: string, changes: ListUpdate): Promise<ListRow> {
    return found(isBigintId(id) ? await this.lists.update(ownerId, id, changes) : undefined);
  }

  /** Throws NotFound. */
  async remove(ownerId: string, id: string): Promise<void> {
    if (!isBigintId(id) || !(await this.lists.remove(ownerId, id))) throw missing();
  }

  /**
   * Adds all of the accounts to a list, or none. Members stay.
   * @throws NotFound for no list; Unprocessable for an account that the owner neither follows nor has asked to, and when
   * the list gets too long
   */
  async addMembers(ownerId: string, id: string, accountIds: readonly string[]): Promise<void> {
    if (!isBigintId(id)) throw missing();
    const wanted = unique(accountIds);
    await this.uow.run(async () => {
      if (!(await this.lists.lock(ownerId, id))) throw missing();
      const { found, members } = await this.lists.addMembers(ownerId, id, wanted);
      if (found < wanted.length) throw new Unprocessable('You do not follow all of these accounts');
      if (members > MAX_MEMBERS)
        throw new Unprocessable(phrase('A list can have {max} members at most', { max: MAX_MEMBERS }));
    });
  }

  /** Removes accounts from a list; ignores accounts that are not on it. Throws NotFound. */
  async removeMembers(ownerId: string, id: string, accountIds: readonly string[]): Promise<void> {
    if (!isBigintId(id) || !(await this.lists.removeMembers(ownerId, id, accountIds))) throw missing();
  }

  /** The active members of a list, the latest addition first; with `limit` 0 all of them. Throws NotFound. */
  async members(
    ownerId: string,
    id: string,
    query: KeysetQuery & { readonly offset: number },
  ): Promise<Page<RelatedAccount>> {
    const list = await this.one(ownerId, id);
    const keyset = bigintKeyset({ ...query, limit: query.limit || MAX_MEMBERS });
    const rows = newestFirst(await this.lists.members(list.id, keyset, query.offset), keyset);
    const [first, last] = [rows.at(0), rows.at(-1)];
    const goesOn = query.limit > 0 && first && last;
    return new Page(rows, goesOn ? { first: first.cursor, last: last.cursor } : undefined);
  }
}

function found(list: ListRow | undefined): ListRow {
  if (!list) throw missing();
  return list;
}

function missing(): NotFound {
  return new NotFound('List not found');
}
