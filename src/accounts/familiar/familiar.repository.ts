import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/index.js';
import type { AccountCounts } from '../model/account.rows.js';
import { ACCOUNT_TABLES, COUNT_COLUMNS, IS_ACTIVE } from '../model/account.sql.js';
import { isAccepted, NEWEST_FOLLOWS, newestFollowees } from '../model/relations.sql.js';

/** An account that the viewer follows and that follows another; without one, a row that only names the other. */
export interface FamiliarRow extends AccountCounts {
  /** The followed account. */
  readonly targetId: string;
  /** Null: none. */
  readonly cursor: string | null;
}

/** The newest so many for each account. */
const MOST = 40;

// $1 viewer, $2 accounts, $3 number of newest follows of the viewer that are looked up for each account. Leaves out accounts
// that hide either list (threat V11). Index: follows_following once, follows_pair for each.
const familiar = sql<FamiliarRow>(
  'follows.familiar',
  `with mine as materialized (${newestFollowees('$1', '$3')}),
   target as materialized (
     select a.id, a.hide_followers and a.id <> $1 as hidden from ${ACCOUNT_TABLES}
     where a.id = any($2::text[]) and ${IS_ACTIVE})
   select target.id as "targetId", familiar.* from target left join lateral (
     select f.id as cursor, shown.* from mine
       cross join lateral (
         select r.id, r.follower_id from follows r
         where r.follower_id = mine.id and r.followee_id = target.id and ${isAccepted('r')} limit 1) f
       cross join lateral (
         select ${COUNT_COLUMNS} from ${ACCOUNT_TABLES}
         where a.id = f.follower_id and not a.hide_follows and ${IS_ACTIVE} limit 1) shown
     where not target.hidden
     order by f.id desc limit ${MOST}) familiar on true
   order by familiar.cursor desc`,
);

/** Reads which of the viewer's followees follow an account, among the newest {@link NEWEST_FOLLOWS}. */
@Injectable()
export class FamiliarRepository {
  constructor(private readonly db: Database) {}

  /** At least one row for each visible account, the latest follows first. */
  familiar(viewerId: string, ids: readonly string[]): Promise<FamiliarRow[]> {
    return this.db.rows(familiar, [viewerId, ids, NEWEST_FOLLOWS]);
  }
}
