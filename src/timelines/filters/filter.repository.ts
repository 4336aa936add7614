import { Injectable } from '@nestjs/common';
import { groupBy } from '../../common/index.js';
import { columns, Database, sql, UnitOfWork } from '../../platform/index.js';
import type { FilterAction, FilterPlace } from '../../statuses/index.js';
import { Filter } from './filter.entities.js';

export interface KeywordRow {
  readonly id: string;
  readonly keyword: string;
  readonly whole_word: boolean;
}

export interface FilterStatusRow {
  readonly id: string;
  readonly status_id: string;
}

/** A filter with its words and posts. */
export interface FilterRow {
  readonly id: string;
  readonly title: string;
  readonly contexts: readonly FilterPlace[];
  readonly action: FilterAction;
  readonly expiresAt: string | null;
  readonly keywords: readonly KeywordRow[];
  readonly statuses: readonly FilterStatusRow[];
}

/** All filters of an account, and their version. */
export interface FilterBook {
  readonly accountId: string;
  readonly version: number;
  readonly filters: readonly FilterRow[];
}

export interface NewFilter {
  readonly title: string;
  readonly contexts: readonly FilterPlace[];
  readonly action: FilterAction;
  readonly expiresAt: Date | null;
}

/** Changes of a filter; undefined fields stay unchanged. */
export type FilterUpdate = { readonly [K in keyof NewFilter]?: NewFilter[K] | undefined };

export interface NewKeyword {
  readonly keyword: string;
  readonly wholeWord: boolean;
}

// Index: filter_keywords_filter, filter_statuses_pair.
const PARTS = `
  (select coalesce(json_agg(json_build_object('id', k.id::text, 'keyword', k.keyword, 'whole_word', k.whole_word) order by k.id), '[]')
   from filter_keywords k where k.filter_id = f.id) as keywords,
  (select coalesce(json_agg(json_build_object('id', s.id::text, 'status_id', s.status_id) order by s.id), '[]')
   from filter_statuses s where s.filter_id = f.id) as statuses`;

// Index: filters_account.
const ofAccount = sql<FilterRow>(
  'filters.of_account',
  `select ${columns(Filter, 'f', ['id', 'title', 'contexts', 'action', 'expiresAt'])}, ${PARTS} from filters f
   where f.account_id = $1 order by f.id`,
);

/** A user with one filter, or with nulls in its place. */
type BookRow = { readonly accountId: string; readonly version: number } & (FilterRow | { readonly id: null });

const books = sql<BookRow>(
  'filters.books',
  `select u.account_id as "accountId", u.filters_version as version,
     ${columns(Filter, 'f', ['id', 'title', 'contexts', 'action', 'expiresAt'])}, ${PARTS}
   from users u left join filters f on f.account_id = u.account_id where u.account_id = any($1::text[])
   order by u.account_id, f.id`,
);

const update = sql(
  'filters.update',
  `update filters set title = coalesce($3, title), contexts = coalesce($4, contexts), action = coalesce($5, action),
     expires_at = case when $6::boolean then $7 else expires_at end
   where account_id = $1 and id = $2`,
);

const insertKeyword = sql<{ id: string }>(
  'filters.insert_keyword',
  `insert into filter_keywords (filter_id, keyword, whole_word)
   select id, $3, $4 from filters where account_id = $1 and id = $2 returning id`,
);

const updateKeyword = sql<{ filterId: string }>(
  'filters.update_keyword',
  `update filter_keywords k set keyword = coalesce($3, k.keyword), whole_word = coalesce($4, k.whole_word)
   from filters f where k.id = $2 and f.id = k.filter_id and f.account_id = $1 and ($5::bigint is null or f.id = $5)
   returning k.filter_id as "filterId"`,
);

const removeKeyword = sql<{ filterId: string }>(
  'filters.delete_keyword',
  `delete from filter_keywords k using filters f
   where k.id = $2 and f.id = k.filter_id and f.account_id = $1 and ($3::bigint is null or f.id = $3)
   returning k.filter_id as "filterId"`,
);

// A filter without words and posts matches nothing.
const removeEmpty = sql(
  'filters.delete_empty',
  `delete from filters f where f.account_id = $1 and f.id = $2
     and not exists (select from filter_keywords k where k.filter_id = f.id)
     and not exists (select from filter_statuses s where s.filter_id = f.id)`,
);

const insertStatus = sql<{ id: string }>(
  'filters.insert_status',
  `insert into filter_statuses (filter_id, status_id)
   select id, $3 from filters where account_id = $1 and id = $2 on conflict do nothing returning id`,
);

const removeStatus = sql(
  'filters.delete_status',
  `delete from filter_statuses s using filters f where s.id = $2 and f.id = s.filter_id and f.account_id = $1`,
);

/** All SQL on filters. Every statement checks the owner. Ids are decimal. */
@Injectable()
export class FilterRepository {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  /** Lists the oldest filter first. */
  ofAccount(accountId: string): Promise<FilterRow[]> {
    return this.db.rows(ofAccount, [accountId]);
  }

  /** The filters of several local users, with their version for each user. */
  async books(accountIds: readonly string[]): Promise<FilterBook[]> {
    const byAccount = groupBy(await this.db.rows(books, [accountIds]), (row) => row.accountId);
    return [...byAccount].map(([accountId, rows]) => ({
      accountId,
      version: rows[0]?.version ?? 0,
      filters: rows.filter((row): row is BookRow & FilterRow => row.id !== null),
    }));
  }

  async insert(accountId: string, { title, contexts, action, expiresAt }: NewFilter): Promise<string> {
    const filter = { accountId, title, contexts: [...contexts], action, expiresAt };
    const { identifiers } = await this.uow.manager.insert(Filter, filter);
    return (identifiers[0] as Pick<Filter, 'id'>).id;
  }

  /** False when the account has no such filter. */
  async update(accountId: string, id: string, changes: FilterUpdate): Promise<boolean> {
    const { title, contexts, action, expiresAt } = changes;
    const values = [accountId, id, title, contexts, action, expiresAt !== undefined, expiresAt];
    return (await this.db.run(update, values)) === 1;
  }

  async remove(accountId: string, id: string): Promise<boolean> {
    return (await this.uow.manager.delete(Filter, { accountId, id })).affected === 1;
  }

  /** Undefined when the account has no such filter. */
  async insertKeyword(
    accountId: string,
    filterId: string,
    { keyword, wholeWord }: NewKeyword,
  ): Promise<string | undefined> {
    return (await this.db.first(insertKeyword, [accountId, filterId, keyword, wholeWord]))?.id;
  }

  /**
   * Returns the id of the keyword's filter. Without a filter id, searches all filters of the account. Undefined when
   * there is no such keyword.
   */
  async updateKeyword(
    accountId: string,
    id: string,
    { keyword, wholeWord }: { readonly [K in keyof NewKeyword]?: NewKeyword[K] | undefined },
    filterId: string | null = null,
  ): Promise<string | undefined> {
    return (await this.db.first(updateKeyword, [accountId, id, keyword, wholeWord, filterId]))?.filterId;
  }

  /** Like {@link updateKeyword}. */
  async removeKeyword(accountId: string, id: string, filterId: string | null = null): Promise<string | undefined> {
    return (await this.db.first(removeKeyword, [accountId, id, filterId]))?.filterId;
  }

  /** Removes a filter without words and posts. */
  async removeEmpty(accountId: string, id: string): Promise<void> {
    await this.db.run(removeEmpty, [accountId, id]);
  }

  /** Returns the entry's id; undefined when the account has no such filter, or the filter already has the post. */
  async insertStatus(accountId: string, filterId: string, statusId: string): Promise<string | undefined> {
    return (await this.db.first(insertStatus, [accountId, filterId, statusId]))?.id;
  }

  async removeStatus(accountId: string, id: string): Promise<boolean> {
    return (await this.db.run(removeStatus, [accountId, id])) === 1;
  }
}
