import { Injectable } from '@nestjs/common';
import {
  type AccountCounts,
  COUNT_COLUMNS,
  IS_ACTIVE,
  isFindable,
  isFindableByName,
  isListed,
  NEW_NAMES,
  NEWEST_FOLLOWS,
  newestFollowees,
  subjectsOfAccounts,
} from '../accounts/index.js';
import type { ListedProfiles } from '../config/index.js';
import { Database, sql } from '../platform/index.js';

/** A search for accounts by their names, which ignores case by the rules of the database. */
export interface AccountPatterns {
  /** The beginning of nicknames; a whole one where there is a domain. */
  readonly nickname: string;
  /** `like` pattern of domains, in lower case; undefined for any domain. */
  readonly domain: string | undefined;
  /** `like` patterns of display names; empty for a handle. */
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

/** The most accounts that are ranked by nickname, the first of the alphabet, and the most by display name. */
const RANKED = 500;
/** PostgreSQL expects few rows of a limit that it cannot know, and reads an index in its order instead of all matches. */
const inOrder = (limit: number) => `greatest(${limit}, $7)`;

/** SQL: the last letter of Unicode, behind all that can follow the beginning of a name; nothing follows a whole one, which has a domain. */
const LAST_LETTER = "case when $3::text is null then chr(1114111) else '' end";

// The database lowercases both sides: JavaScript lowercases some letters differently, such as the final sigma.
const isNamed = (account: string) =>
  `lower(${account}.nickname) ~>=~ lower($2) and lower(${account}.nickname) ~<=~ (lower($2) || ${LAST_LETTER})`;
const hasNickname = (account: string) => `${isNamed(account)} and ($3::text is null or ${account}.domain like $3)`;
const hasDisplayName = (account: string) =>
  `lower(${account}.display_name) like any(array(select distinct lower(p) from unnest($4::text[]) p))`;

const isShown = (account: string) => isListed(account, '$9', '$10');

const IS_NAMED = `${isNamed('a')} as is_named`;
/** Columns of `ranked`: both sorts name them alike, so that PostgreSQL sorts once. */
const RANKS = 'is_exact desc, is_followed desc, is_named desc, followers_count desc, id desc';

/*
 * $1 viewer, $2 beginning of nicknames, $3 pattern of domains, $4 of display names, $5 followed accounts only, $6 the exact
 * account, $7 limit, $8 offset, $9 include local accounts, $10 include remote accounts. After the exact account come followed ones; they are found however many other accounts match,
 * and looked for only where more match than are ranked: else they are among these. Then follow accounts whose nickname
 * matches, the most followed, the newest; other display names matter only where these are not enough. Who may be shown is
 * asked in the order of the ranks, until the page is full. Index: accounts_nicknames, accounts_names, follows_following;
 * primary keys for each found.
 */
const search = sql<AccountCounts>(
  'search.accounts',
  `with followed as materialized (${newestFollowees('$1', inOrder(NEWEST_FOLLOWS))}),
   named as materialized (
     select a.id, true as is_named from accounts a where not $5::boolean and ${hasNickname('a')} and ${isShown('a')}
     order by lower(a.nickname) using ~<~ limit ${inOrder(RANKED)}),
   displayed as materialized (
     select a.id, ${IS_NAMED} from accounts a where not $5::boolean and (select count(*) < ${RANKED} from named)
       and ${hasDisplayName('a')} and ${isShown('a')} limit ${RANKED}),
   found as materialized (
     select a.id, ${IS_NAMED} from accounts a where a.id = $6
     union select * from named
     union select * from displayed
     union
     select a.id, ${IS_NAMED} from accounts a
     where a.id = any(array(
         select id from followed
         where $5::boolean or (select count(*) >= ${RANKED} from named) or (select count(*) >= ${RANKED} from displayed)))
       and (${hasNickname('a')} or ${hasDisplayName('a')})),
   ranked as (
     select found.id, found.id = $6 as is_exact, found.id in (select id from followed) as is_followed, found.is_named,
       s.followers_count
     from found join account_stats s on s.account_id = found.id order by ${RANKS})
   select ${COUNT_COLUMNS} from ranked join accounts a on a.id = ranked.id join account_stats s on s.account_id = a.id
     left join users u on u.account_id = a.id
   where ${isShown('a')} and ${IS_ACTIVE}
     and case when a.id = $6 then ${isFindableByName('a', '$1')} else ${isFindable('a', '$1')} end
   order by ${RANKS.replace(/\w+ desc/g, 'ranked.$&')}
   limit $7 offset $8`,
  {
    replica: (values, rows) => {
      const exact = values[5] === '' ? [] : [NEW_NAMES]; // $6; a moment ago the server may not have known it
      return [...exact, ...subjectsOfAccounts(values, rows)];
    },
  },
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
