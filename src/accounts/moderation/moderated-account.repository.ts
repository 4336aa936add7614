import { Injectable } from '@nestjs/common';
import { MAX_LISTED, searchedDomain } from '../../common/index.js';
import { columns, countUpTo, Database, sql } from '../../platform/index.js';
import type { Handle } from '../model/nickname.js';
import { isOfServer, serverNames } from '../model/server-names.js';
import { Account } from '../model/account.entities.js';
import { NEEDS_APPROVAL } from '../model/account.sql.js';

/** An account as the staff sees it; the columns of a user have empty values for remote accounts. */
export interface ModeratedAccount {
  readonly id: string;
  readonly nickname: string;
  readonly domain: string | null;
  readonly displayName: string;
  readonly avatarUrl: string | null;
  readonly actorType: string;
  readonly tags: readonly string[];
  readonly url: string;
  readonly createdAt: string;
  readonly isDeactivated: boolean;
  readonly isAdmin: boolean;
  readonly isModerator: boolean;
  readonly isConfirmed: boolean;
  readonly isApproved: boolean;
  readonly isSuggested: boolean;
  readonly email: string | null;
  readonly registrationReason: string | null;
}

export const ACCOUNT_FILTERS = [
  'local',
  'external',
  'active',
  'need_approval',
  'unconfirmed',
  'deactivated',
  'is_admin',
  'is_moderator',
] as const;
export type AccountFilter = (typeof ACCOUNT_FILTERS)[number];

/** All given conditions must hold; without one it finds every account. */
export interface AccountSearch {
  readonly filters?: readonly AccountFilter[];
  /** A part of the nickname, a domain, or both as `nickname@domain`. */
  readonly query?: string;
  /** A part of the display name. */
  readonly name?: string;
  /** A part of the e-mail address. */
  readonly email?: string;
  /** Any of them. */
  readonly tags?: readonly string[];
  /** Any of them. */
  readonly actorTypes?: readonly string[];
}

const EVERY_ACCOUNT: Required<AccountSearch> = {
  filters: [],
  query: '',
  name: '',
  email: '',
  tags: [],
  actorTypes: [],
};

const COLUMNS = `${columns(Account, 'a', ['id', 'nickname', 'domain', 'displayName', 'avatarUrl', 'actorType', 'tags'])},
  coalesce(a.url, a.ap_id) as url, a.created_at as "createdAt", a.deactivated_at is not null as "isDeactivated",
  coalesce(u.is_admin, false) as "isAdmin", coalesce(u.is_moderator, false) as "isModerator",
  coalesce(u.is_confirmed, true) as "isConfirmed", coalesce(u.is_approved, true) as "isApproved",
  g.account_id is not null as "isSuggested", u.email, u.registration_reason as "registrationReason"`;
const JOINS = `left join users u on u.account_id = a.id left join suggested_accounts g on g.account_id = a.id`;

const byIds = sql<ModeratedAccount>(
  'moderated_accounts.by_ids',
  `select ${COLUMNS} from accounts a ${JOINS} where a.id = any($1::text[]) and a.deleted_at is null`,
);

// Index: accounts_handle, once per handle.
const byHandles = sql<ModeratedAccount>(
  'moderated_accounts.by_handles',
  `select ${COLUMNS} from unnest($1::text[], $2::text[]) with ordinality as wanted(nickname, domain, at)
   join accounts a on lower(a.nickname) = lower(wanted.nickname) and coalesce(a.domain, '') = wanted.domain
   ${JOINS} where a.deleted_at is null order by wanted.at`,
);

/** The users that wait for approval or confirmation. Indexes: users_unapproved, users_unconfirmed. */
const WAITING = `(select account_id from users where not is_approved
  union all select account_id from users where not is_confirmed)`;

/** The condition of each filter on an account `a` and its user `u`. */
const CONDITIONS: Readonly<Record<AccountFilter, string>> = {
  local: 'a.domain is null',
  external: 'a.domain is not null',
  active: `a.deactivated_at is null and a.id not in ${WAITING}`,
  need_approval: NEEDS_APPROVAL,
  unconfirmed: 'not u.is_confirmed',
  deactivated: 'a.deactivated_at is not null',
  is_admin: 'u.is_admin and (u.is_admin or u.is_moderator)',
  is_moderator: 'u.is_moderator and (u.is_admin or u.is_moderator)',
};
const OF_USERS = new Set<AccountFilter>(['need_approval', 'unconfirmed', 'is_admin', 'is_moderator']);

const TAGS_AFTER = 'array(select distinct tag from unnest(tags || $2::text[]) tag order by tag)';

const tag = sql(
  'moderated_accounts.tag',
  `update accounts set tags = ${TAGS_AFTER}, version = version + 1
   where id = $1 and deleted_at is null and cardinality(${TAGS_AFTER}) <= $3`,
);

const untag = sql(
  'moderated_accounts.untag',
  `update accounts set tags = array(select tag from unnest(tags) tag where tag <> all($2::text[])), version = version + 1
   where id = $1`,
);

/** SQL on accounts for the staff. Deleted accounts are in none of its answers. */
@Injectable()
export class ModeratedAccountRepository {
  constructor(private readonly db: Database) {}

  /** In no order; unknown ids are left out. */
  byIds(ids: readonly string[]): Promise<ModeratedAccount[]> {
    return this.db.rows(byIds, [ids]);
  }

  /** In the order of the handles; unknown ones are left out. */
  byHandles(handles: readonly Handle[]): Promise<ModeratedAccount[]> {
    return this.db.rows(byHandles, [handles.map(({ username }) => username), handles.map(({ domain = '' }) => domain)]);
  }

  /**
   * The newest first. Reads only ids of the accounts before the page. Index: accounts_known, accounts_here,
   * accounts_deactivated, accounts_names, accounts_tags, users_staff, users_unapproved, users_unconfirmed,
   * users_email_words.
   */
  page(search: AccountSearch, limit: number, offset: number): Promise<ModeratedAccount[]> {
    const { rows, values } = found(search, [limit, offset]);
    return this.db.query(
      `select ${COLUMNS} from (select a.id from ${rows} order by a.id desc limit $1 offset $2) page
       join accounts a on a.id = page.id ${JOINS} order by a.id desc`,
      values,
    );
  }

  /** Adds tags to an account; false when it would have more than `most`, and for a deleted account. */
  async tag(id: string, tags: readonly string[], most: number): Promise<boolean> {
    return (await this.db.run(tag, [id, tags, most])) === 1;
  }

  async untag(id: string, tags: readonly string[]): Promise<void> {
    await this.db.run(untag, [id, tags]);
  }

  /** Up to {@link MAX_LISTED}. */
  async count(search: AccountSearch): Promise<number> {
    const { rows, values } = found(search, []);
    const [row] = await this.db.query<{ count: number }>(`select ${countUpTo(MAX_LISTED, rows)} as count`, values);
    return row?.count ?? 0;
  }
}

/** The accounts that a search finds; `values` are those of the statement that stand before its own. */
function found(search: AccountSearch, before: readonly unknown[]): { rows: string; values: unknown[] } {
  const { filters, query, name, email, tags, actorTypes } = { ...EVERY_ACCOUNT, ...search };
  const values = [...before];
  const value = (given: unknown) => `$${values.push(given)}`;
  const holds = (text: string) => value(`%${text.toLowerCase().replace(/[\\%_]/g, String.raw`\$&`)}%`);
  const conditions = ['a.deleted_at is null', ...filters.map((filter) => CONDITIONS[filter])];
  if (query !== '') conditions.push(named(query.replace(/^@/, ''), holds, value));
  if (name !== '') conditions.push(`lower(a.display_name) like ${holds(name)}`);
  if (email !== '') conditions.push(`lower(u.email) like ${holds(email)}`);
  if (tags.length > 0) conditions.push(`a.tags && ${value(tags)}::text[] and a.tags <> '{}'`);
  if (actorTypes.length > 0) conditions.push(`a.actor_type = any(${value(actorTypes)}::text[])`);
  const asksUsers = email !== '' || filters.some((filter) => OF_USERS.has(filter));
  const users = asksUsers ? 'join users u on u.account_id = a.id' : '';
  return { rows: `accounts a ${users} where ${conditions.join(' and ')}`, values };
}

function named(query: string, holds: (text: string) => string, value: (given: unknown) => string): string {
  const [nickname = '', domain] = query.split('@');
  const names = `lower(a.nickname) like ${holds(nickname)}`;
  const host = value(searchedDomain(domain ?? nickname));
  return domain === undefined
    ? `(${names} or ${isOfServer('a', host)})`
    : `${names} and exists (select from unnest(${serverNames('a')}) name where starts_with(name, ${host}))`;
}
