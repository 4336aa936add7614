import { Injectable } from '@nestjs/common';
import { isIdListed, mostExamined } from '../../accounts/index.js';
import type { ListedProfiles } from '../../config/index.js';
import { Database, fragment, type Fragment, type Keyset, sql, type Statement } from '../../platform/index.js';
import {
  blockedAccounts,
  hiddenAccounts,
  isNotHidden,
  PAGE_KEYS,
  type PageRow,
  selectPage,
} from '../model/page.sql.js';
import { isCountedReblog } from '../model/status.flags.js';
import { isDeactivated, maySee } from '../model/visibility.js';

type Direction = Keyset['direction'];
type PerDirection<Row> = Readonly<Record<Direction, Statement<Row>>>;

/** An account that favourited or boosted a status; `cursor` is the id that the list is paged by. */
export interface ActorRow {
  readonly accountId: string;
  readonly cursor: string;
}

/** A favourite, or a reaction with the name of its emoji, of a remote account. */
export interface GivenRow {
  readonly statusId: string;
  readonly name: string | null;
}

/** An entry of a list of favourites, paged by `cursor`. */
export type FavouriteRow = PageRow & { readonly cursor: string };

const favourite = sql(
  'favourites.insert',
  `insert into favourites (account_id, status_id, uri) values ($1, $2, $3) on conflict do nothing`,
);

// Indexes: favourites_uri, reactions_uri.
const given = sql<GivenRow>(
  'favourites.given',
  `select status_id as "statusId", null as name from favourites where uri = $1 and account_id = $2
   union all select status_id, name from reactions where uri = $1 and account_id = $2 limit 1`,
);

const unfavourite = sql<{ counted: boolean }>(
  'favourites.delete',
  `delete from favourites where account_id = $1 and status_id = $2 returning counted`,
);

const order = { older: 'desc', newer: 'asc' } as const;

const perDirection = <Row>(name: string, text: (order: string) => Fragment): PerDirection<Row> => ({
  older: sql<Row>(`${name}.older`, text(order.older)),
  newer: sql<Row>(`${name}.newer`, text(order.newer)),
});

const blocked = blockedAccounts('$1');

// In the lists: $1 viewer, $3 below, $4 above, $5 limit, $6 offset; of people, $7 and $8 the listed profiles.

// Index: favourites_status.
const favouritedBy = perDirection<ActorRow>(
  'favourites.of_status',
  (direction) => fragment`select f.account_id as "accountId", f.id as cursor
   from (
     select * from favourites f where f.status_id = $2 and f.id < $3 and f.id > $4
     order by f.id ${direction} limit ${mostExamined('$7', '$8')}) f
   where ${isNotHidden('f.account_id', blocked)} and not ${isDeactivated('f.account_id')}
     and ${isIdListed('f.account_id', '$7', '$8')}
   order by f.id ${direction} limit $5 offset $6`,
);

// Index: statuses_reblogs_newest.
const rebloggedBy = perDirection<ActorRow>(
  'statuses.boosts_of_status',
  (direction) => fragment`select entry.author_id as "accountId", entry.id as cursor
   from (
     select * from statuses entry
     where entry.reblog_of_id = $2 and ${isCountedReblog('entry')} and entry.id < $3 and entry.id > $4
     order by entry.id ${direction} limit ${mostExamined('$7', '$8')}) entry
   where ${isNotHidden('entry.author_id', blocked)} and ${maySee('entry')}
     and ${isIdListed('entry.author_id', '$7', '$8')}
   order by entry.id ${direction} limit $5 offset $6`,
);

// Index: favourites_account. `$2` is the owner, who is also the viewer.
const favourites = perDirection<FavouriteRow>('favourites.of_account', (direction) =>
  selectPage(
    '$1',
    `select f.id as cursor, post.id as feed_id, post.author_id as entry_author_id, ${PAGE_KEYS}
     from favourites f join statuses post on post.id = f.status_id
     where f.account_id = $2 and f.id < $3 and f.id > $4 and ${maySee('post')}
     order by f.id ${direction} limit $5 offset $6`,
    `page.cursor ${direction}`,
    ['cursor'],
  ),
);

/** Maximum number of favourites read for one page of another account: the viewer may see few of them. */
const EXAMINED = 5_000;

// The same for another viewer; leaves out authors who are hidden from the viewer. Index: favourites_account.
const favouritesOfAnother = perDirection<FavouriteRow>('favourites.of_another', (direction) =>
  selectPage(
    '$1',
    fragment`select f.id as cursor, post.id as feed_id, post.author_id as entry_author_id, ${PAGE_KEYS}
     from (
       select * from favourites f where f.account_id = $2 and f.id < $3 and f.id > $4
       order by f.id ${direction} limit ${EXAMINED}) f
     join statuses post on post.id = f.status_id
     where ${maySee('post')} and ${isNotHidden('post.author_id', hiddenAccounts('$1', 'false'))}
     order by f.id ${direction} limit $5 offset $6`,
    `page.cursor ${direction}`,
    ['cursor'],
  ),
);

/**
 * All SQL on favourites, and the lists of accounts that favourited or boosted. Pages have the direction of their
 * keyset.
 */
@Injectable()
export class InteractionsRepository {
  constructor(private readonly db: Database) {}

  /** Returns false when it already was a favourite. `uri` is the id of the activity of a remote account. */
  async favourite(accountId: string, statusId: string, uri: string | null): Promise<boolean> {
    return (await this.db.run(favourite, [accountId, statusId, uri])) === 1;
  }

  /** What a remote account gave by an activity. */
  findGiven(uri: string, accountId: string): Promise<GivenRow | undefined> {
    return this.db.first(given, [uri, accountId]);
  }

  /** Returns whether it counted; undefined when it was not a favourite. */
  async unfavourite(accountId: string, statusId: string): Promise<boolean | undefined> {
    return (await this.db.first(unfavourite, [accountId, statusId]))?.counted;
  }

  favouritedBy(
    statusId: string,
    viewerId: string,
    keyset: Keyset,
    offset: number,
    { here, elsewhere }: ListedProfiles,
  ): Promise<ActorRow[]> {
    return this.page(favouritedBy, viewerId, statusId, keyset, offset, here, elsewhere);
  }

  rebloggedBy(
    statusId: string,
    viewerId: string,
    keyset: Keyset,
    offset: number,
    { here, elsewhere }: ListedProfiles,
  ): Promise<ActorRow[]> {
    return this.page(rebloggedBy, viewerId, statusId, keyset, offset, here, elsewhere);
  }

  favourites(accountId: string, keyset: Keyset, offset: number): Promise<FavouriteRow[]> {
    return this.page(favourites, accountId, accountId, keyset, offset);
  }

  /** The favourites of an account that another viewer may see. */
  favouritesOfAnother(accountId: string, viewerId: string, keyset: Keyset, offset: number): Promise<FavouriteRow[]> {
    return this.page(favouritesOfAnother, viewerId, accountId, keyset, offset);
  }

  private page<Row>(
    statements: PerDirection<Row>,
    viewerId: string,
    of: string,
    { direction, below, above, limit }: Keyset,
    offset: number,
    ...more: readonly boolean[]
  ): Promise<Row[]> {
    return this.db.rows(statements[direction], [viewerId, of, below, above, limit, offset, ...more]);
  }
}
