import { Injectable } from '@nestjs/common';
import {
  type AccountCounts,
  COUNT_COLUMNS,
  IS_ACTIVE,
  isFindable,
  isFindableByName,
  isAccepted,
} from '../accounts/index.js';
import type { ListedProfiles } from '../config/index.js';
import { Database, sql } from '../platform/index.js';

/** A search for accounts by `like` patterns. Name patterns ignore case by the rules of the database. */
export interface AccountPatterns {
  /** Pattern of nicknames. */
  readonly nickname: string;
  /** Pattern of domains, in lower case; undefined for any domain. */
  readonly domain: string | undefined;
  /** Patterns of display names; empty for a handle. */
  readonly displayNames: readonly string[];
}

export interface AccountSearch {
  /** Undefined finds no account but the exact one. */
  readonly patterns: AccountPatterns | undefined;
  /** `''` for anonymous callers. */
  readonly viewerId: string;
  /** Returns only accounts that the viewer follows. */
  readonly following: boolean;
  readonly listed: ListedProfiles;
  /** The account with exactly this handle or address, which comes first; else `''`. */
  readonly exactId: string;
  readonly limit: number;
  readonly offset: number;
}

/** Number of ranked accounts of each kind. Matches beyond it are dropped in no defined order. */
const RANKED = 500;
/** Number of newest follows that the search reads. */
const FOLLOWS = 2_000;

// The database lowercases both sides: JavaScript lowercases some letters differently, such as the final sigma.
const hasNickname = (account: string) =>
  `lower(${account}.nickname) like lower($2) and ($3::text is null or ${account}.domain like $3)`;
const hasDisplayName = (account: string) =>
  `lower(${account}.display_name) like any(array(select distinct lower(p) from unnest($4::text[]) p))`;

/*
 * $1 viewer, $2 pattern of nicknames, $3 of domains, $4 of display names, $5 followed accounts only, $6 the exact
 * account, $7 limit, $8 offset, $9 include local accounts, $10 include remote accounts. After the exact account come
 * followed ones; they are found however many other accounts match. Then follow accounts whose nickname matches, the most
 * followed, the newest. Index: accounts_names, follows_following; primary keys for each found.
 */
const search = sql<AccountCounts>(
  'search.accounts',
  `with followed as materialized (
     select f.followee_id as id from follows f where f.follower_id = $1 and ${isAccepted('f')} order by f.id desc limit ${FOLLOWS}),
   found as materialized (
     select $6::text as id
     union
     select a.id from followed join accounts a on a.id = followed.id where ${hasNickname('a')} or ${hasDisplayName('a')}
     union
     (select a.id from accounts a where not $5::boolean and ${hasNickname('a')} limit ${RANKED})
     union
     (select a.id from accounts a where not $5::boolean and ${hasDisplayName('a')} limit ${RANKED}))
   select ${COUNT_COLUMNS} from found join accounts a on a.id = found.id join account_stats s on s.account_id = a.id
     left join users u on u.account_id = a.id
   where case when a.domain is null then $9::boolean else $10::boolean end and ${IS_ACTIVE}
     and case when a.id = $6 then ${isFindableByName('a', '$1')} else ${isFindable('a', '$1')} end
   order by a.id = $6 desc, a.id in (select id from followed) desc, lower(a.nickname) like lower($2) desc, s.followers_count desc, a.id desc
   limit $7 offset $8`,
);

/** Finds accounts by their names. */
@Injectable()
export class AccountSearchRepository {
  constructor(private readonly db: Database) {}

  /** Returns the exact account, then the active accounts that match one of the patterns, best first. */
  search(wanted: AccountSearch): Promise<AccountCounts[]> {
    return this.db.rows(search, [
      wanted.viewerId,
      wanted.patterns?.nickname ?? null,
      wanted.patterns?.domain ?? null,
      wanted.patterns?.displayNames ?? [],
      wanted.following,
      wanted.exactId,
      wanted.limit,
      wanted.offset,
      wanted.listed.here,
      wanted.listed.elsewhere,
    ]);
  }
}
