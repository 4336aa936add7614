import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { MAX_COUNTED } from '../../common/index.js';
import type { PictureUse } from '../../media/index.js';
import { Database, sql, UnitOfWork } from '../../platform/index.js';
import { Account, type AccountField } from './account.entities.js';
import type { AccountCounts, AccountRow, OwnRow } from './account.rows.js';
import { ACCOUNT_COLUMNS, ACCOUNT_JOINS, ACCOUNT_TABLES, COUNT_COLUMNS, IS_ACTIVE } from './account.sql.js';
import type { Handle } from './nickname.js';
import { isPending } from './relations.sql.js';

/** Columns of an account that a write may set; `version` is raised by the write itself. */
export type AccountChanges = Partial<Omit<Account, 'id' | 'version'>>;

/** A new local account; its other addresses follow from `apId`. */
export type NewLocalAccount = Pick<
  Account,
  'id' | 'nickname' | 'displayName' | 'noteHtml' | 'noteSource' | 'birthday' | 'apId'
> & {
  readonly sharedInboxUrl: string;
};

/** A stored move. */
export interface MoveRow {
  /** Of the account that moved. */
  readonly domain: string | null;
  /** Whether the target is of this server, if it had moved itself and is in use again. */
  readonly returnedLocal: boolean | null;
}

/** The stored pictures of an account. */
export type PicturesRow = Readonly<Record<PictureUse, string | null>>;

// Index: primary key.
const byIds = sql<AccountRow>(
  'accounts.by_ids',
  `select ${ACCOUNT_COLUMNS} from ${ACCOUNT_TABLES} where a.id = any($1::text[])`,
);

const counts = sql<AccountCounts>(
  'accounts.counts',
  `select ${COUNT_COLUMNS} from accounts a join account_stats s on s.account_id = a.id where a.id = any($1::text[])`,
);

// Index: primary key.
const countsOfActive = sql<AccountCounts>(
  'accounts.counts_of_active',
  `select ${COUNT_COLUMNS} from ${ACCOUNT_TABLES} where a.id = any($1::text[]) and ${IS_ACTIVE}`,
);

// Index: accounts_handle.
const byHandle = sql<AccountRow>(
  'accounts.by_handle',
  `select ${ACCOUNT_COLUMNS} from ${ACCOUNT_TABLES} where lower(a.nickname) = lower($1) and coalesce(a.domain, '') = $2`,
);

// The remote server chooses `url`, so a match counts only on the host of the actor. Index: accounts_ap_id_key,
// accounts_url.
const byUri = sql<AccountRow>(
  'accounts.by_uri',
  `select ${ACCOUNT_COLUMNS} from ${ACCOUNT_TABLES}
   where a.ap_id = $1 or a.url = $1 and split_part(a.url, '/', 3) = split_part(a.ap_id, '/', 3)
   order by a.ap_id = $1 desc, a.id limit 1`,
);

// Index: accounts_handle, once per handle.
const byHandles = sql<AccountRow>(
  'accounts.by_handles',
  `select ${ACCOUNT_COLUMNS} from unnest($1::text[], $2::text[]) as wanted(nickname, domain)
   join accounts a on lower(a.nickname) = lower(wanted.nickname) and coalesce(a.domain, '') = wanted.domain
   ${ACCOUNT_JOINS}
   where ${IS_ACTIVE}`,
);

// Index: accounts_ap_id_key.
const byUris = sql<AccountRow>(
  'accounts.by_uris',
  `select ${ACCOUNT_COLUMNS} from ${ACCOUNT_TABLES} where a.ap_id = any($1::text[]) and ${IS_ACTIVE}`,
);

// Index: primary keys; follows_requests, accounts_deactivated. Requests of deactivated accounts are neither listed nor
// counted; where there are very many, some of them are.
const own = sql<OwnRow>(
  'accounts.own',
  `select ${ACCOUNT_COLUMNS}, u.default_scope as "defaultScope", u.default_quote_policy as "defaultQuotePolicy",
     u.default_language as "defaultLanguage", u.no_rich_text as "noRichText", u.allow_following_move as "allowFollowingMove",
     u.settings_store as "settingsStore", u.notification_settings as "notificationSettings",
     (select count(*)::int from (
        select f.follower_id from follows f where f.followee_id = a.id and ${isPending('f')} limit ${MAX_COUNTED}) f
      where not coalesce((
        select true from accounts who where who.id = f.follower_id and who.deactivated_at is not null), false)
     ) as "followRequestsCount"
   from ${ACCOUNT_TABLES} where a.id = $1 and u.account_id is not null`,
);

const insertLocal = sql(
  'accounts.insert_local',
  `with account as (
     insert into accounts (id, nickname, display_name, note_html, note_source, ap_id, inbox_url, outbox_url, followers_url,
       following_url, featured_url, shared_inbox_url, birthday)
     values ($1, $2, $3, $4, $5, $6, $6 || '/inbox', $6 || '/outbox', $6 || '/followers', $6 || '/following',
       $6 || '/collections/featured', $7, $8)
     on conflict do nothing returning id)
   insert into account_stats (account_id) select id from account`,
);

const lockPictures = sql<PicturesRow>(
  'accounts.lock_pictures',
  `select avatar_url as avatar, header_url as header, background_url as background
   from accounts where id = $1 and domain is null and deleted_at is null for update`,
);

const readLockedForUpdate = sql<{ locked: boolean }>(
  'accounts.read_locked_for_update',
  `select locked from accounts where id = $1 for no key update`,
);

const yieldHandle = sql(
  'accounts.yield_handle',
  `update accounts set nickname = nickname || '.' || id, renamed_at = now(), version = version + 1
   where id = $1`,
);

const touchVersion = sql('accounts.touch_version', `update accounts set version = version + 1 where id = $1`);

/** An account that moves again within this time would scatter its followers. */
const MOVE_DAYS = 7;

/** SQL: whether an account names another one as an alias of its own. */
const agrees = (target: string, moved: string) =>
  `${target}.id <> ${moved}.id and ${moved}.ap_id = any(${target}.also_known_as)`;

// The target account must agree, and is in use again. A move that was only shown does not count.
const move = sql<MoveRow>(
  'accounts.move',
  `with moved as (
   update accounts a set moved_to_id = t.id, moved_at = now(), version = a.version + 1
   from accounts t where a.id = $1 and t.id = $2 and ${agrees('t', 'a')}
     and (a.moved_to_id is distinct from t.id or a.moved_at is null) and coalesce(a.moved_at <= now() - interval '${MOVE_DAYS} days', true)
     and a.deactivated_at is null and t.deactivated_at is null
   returning a.domain),
   returned as (
     update accounts set moved_to_id = null, version = version + 1
     where id = $2 and moved_to_id is not null and exists (select from moved) returning domain is null as local)
   select domain, (select local from returned) as "returnedLocal" from moved`,
);

const showMove = sql(
  'accounts.show_move',
  `update accounts a set moved_to_id = t.id, version = a.version + 1
   from accounts t where a.id = $1 and t.id = $2 and ${agrees('t', 'a')}
     and a.domain is not null and a.deleted_at is null and a.moved_at is null and a.moved_to_id is distinct from t.id`,
);

const replaceFields = sql(
  'accounts.replace_fields',
  `update accounts set fields = $3::jsonb, version = version + 1 where id = $1 and fields = $2::jsonb`,
);

const addAlias = sql(
  'accounts.add_alias',
  `update accounts set also_known_as = array_append(also_known_as, $2), version = version + 1
   where id = $1 and domain is null and deleted_at is null and $2 <> all(also_known_as) and cardinality(also_known_as) < $3`,
);

const removeAlias = sql(
  'accounts.remove_alias',
  `update accounts set also_known_as = array_remove(also_known_as, $2), version = version + 1
   where id = $1 and domain is null and $2 = any(also_known_as)`,
);

const namesByUris = sql<Pick<AccountRow, 'apId' | 'nickname' | 'domain'>>(
  'accounts.names_by_uris',
  `select ap_id as "apId", nickname, domain from accounts where ap_id = any($1::text[])`,
);

const setDeactivated = sql(
  'accounts.set_deactivated',
  `update accounts set deactivated_at = case when $2 then coalesce(deactivated_at, now()) end,
     suspended_by_server = $2 and $3::boolean, version = version + 1
   where id = $1 and deleted_at is null and ((deactivated_at is null) = $2 or (suspended_by_server and not $3))`,
);

/** All SQL on `accounts`; counters are written by {@link AccountStatsRepository}. */
@Injectable()
export class AccountRepository {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  async byId(id: string): Promise<AccountRow | undefined> {
    return (await this.byIds([id]))[0];
  }

  /** In no order; unknown ids are left out. */
  byIds(ids: readonly string[]): Promise<AccountRow[]> {
    return this.db.rows(byIds, [ids]);
  }

  /** Versions and counters, in no order; unknown ids are left out. */
  counts(ids: readonly string[]): Promise<AccountCounts[]> {
    return this.db.rows(counts, [ids]);
  }

  /** Like {@link counts}, for active accounts only. */
  countsOfActive(ids: readonly string[]): Promise<AccountCounts[]> {
    return this.db.rows(countsOfActive, [ids]);
  }

  byHandle({ username, domain = '' }: Handle): Promise<AccountRow | undefined> {
    return this.db.first(byHandle, [username, domain]);
  }

  /** By the actor id, else by the address of the page. */
  byUri(uri: string): Promise<AccountRow | undefined> {
    return this.db.first(byUri, [uri]);
  }

  /** Active accounts with these actor ids, in no order. */
  byUris(uris: readonly string[]): Promise<AccountRow[]> {
    return this.db.rows(byUris, [uris]);
  }

  /** Active accounts only, in no order. */
  byHandles(handles: readonly Handle[]): Promise<AccountRow[]> {
    return this.db.rows(byHandles, [handles.map(({ username }) => username), handles.map(({ domain = '' }) => domain)]);
  }

  /** A local account with its owner's columns. */
  own(id: string): Promise<OwnRow | undefined> {
    return this.db.first(own, [id]);
  }

  /** Inserts a local account with its counters; false when the handle is taken. */
  async insertLocal(account: NewLocalAccount): Promise<boolean> {
    const inserted = await this.db.run(insertLocal, [
      account.id,
      account.nickname,
      account.displayName,
      account.noteHtml,
      account.noteSource,
      account.apId,
      account.sharedInboxUrl,
      account.birthday,
    ]);
    return inserted === 1;
  }

  /** Changes an account and raises its version; false for a deleted account, which stays blank. */
  async update(id: string, changes: AccountChanges): Promise<boolean> {
    const live = { id, deletedAt: IsNull() };
    return (await this.uow.manager.update(Account, live, { ...changes, version: () => 'version + 1' })).affected === 1;
  }

  /** Ends that an account counts as deleted. */
  async restore(id: string): Promise<void> {
    await this.uow.manager.update(Account, { id }, { deletedAt: null });
  }

  /** Gives an account, also a deleted one, a handle that no other has. */
  async yieldHandle(id: string): Promise<void> {
    await this.db.run(yieldHandle, [id]);
  }

  /** Replaces the fields of an account and raises its version, unless the fields changed meanwhile. */
  async replaceFields(id: string, before: readonly AccountField[], after: readonly AccountField[]): Promise<boolean> {
    return (await this.db.run(replaceFields, [id, JSON.stringify(before), JSON.stringify(after)])) === 1;
  }

  /** Adds an alias to a local account; false when the account has it, or has `most` aliases. */
  async addAlias(id: string, uri: string, most: number): Promise<boolean> {
    return (await this.db.run(addAlias, [id, uri, most])) === 1;
  }

  /** Removes an alias from a local account; false when there was none. */
  async removeAlias(id: string, uri: string): Promise<boolean> {
    return (await this.db.run(removeAlias, [id, uri])) === 1;
  }

  /** The names of the accounts with these actor ids, in no order. Index: accounts_ap_id_key. */
  namesByUris(uris: readonly string[]): Promise<Pick<AccountRow, 'apId' | 'nickname' | 'domain'>[]> {
    return this.db.rows(namesByUris, [uris]);
  }

  /** Whether an account requires follow requests, locked against changes until the unit ends. */
  async readLockedForUpdate(id: string): Promise<boolean> {
    return (await this.db.first(readLockedForUpdate, [id]))?.locked === true;
  }

  /** The pictures of a local account, locked until the unit ends; undefined for a deleted one. */
  lockPictures(id: string): Promise<PicturesRow | undefined> {
    return this.db.first(lockPictures, [id]);
  }

  /** Raises the version after a change of the body that has no column here. */
  async touchVersion(id: string): Promise<void> {
    await this.db.run(touchVersion, [id]);
  }

  /**
   * Sets or lifts the deactivation and raises the version. False when nothing changes, and for a deleted account, which
   * stays deactivated. `byServer`: the server of a remote account does it.
   */
  async setDeactivated(id: string, deactivated: boolean, { byServer = false } = {}): Promise<boolean> {
    return (await this.db.run(setDeactivated, [id, deactivated, byServer])) === 1;
  }

  /** Undefined when the other account does not agree, when nothing changes, and within a week after the last move. */
  move(id: string, targetId: string): Promise<MoveRow | undefined> {
    return this.db.first(move, [id, targetId]);
  }

  /** Stores where a remote account says that it moved, without a Move; false as for {@link move}. */
  async showMove(id: string, targetId: string): Promise<boolean> {
    return (await this.db.run(showMove, [id, targetId])) === 1;
  }
}
