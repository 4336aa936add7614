import { Injectable } from '@nestjs/common';
import type { ListedProfiles } from '../../config/index.js';
import { Database, type Keyset, sql, type Statement } from '../../platform/index.js';
import { isListed, mostExamined } from '../discovery/discoverability.sql.js';
import type { AccountCounts } from '../model/account.rows.js';
import { ACCOUNT_JOINS, COUNT_COLUMNS, IS_ACTIVE } from '../model/account.sql.js';
import { isAccepted, isPending, isUnexpired } from '../model/relations.sql.js';

/** An account on a page ordered by its relation; the relation's id is the cursor. */
export interface RelatedAccount extends AccountCounts {
  readonly cursor: string;
}

export interface BlockedAccount extends RelatedAccount {
  /** Null: no end. */
  readonly blockExpiresAt: string | null;
}

export interface MutedAccount extends RelatedAccount {
  /** Null: no end. */
  readonly muteExpiresAt: string | null;
}

type List<Row> = Readonly<Record<Keyset['direction'], Statement<Row>>>;

/** A kind of relation: rows `r` of a table lead from an owner to other accounts. */
interface Relation {
  readonly name: string;
  readonly from: string;
  readonly owner: string;
  readonly other: string;
  /** The condition on the rows that count. */
  readonly where?: string;
  readonly columns?: string;
}

/** The active accounts related to an owner. $1 owner, $2 below, $3 above, $4 limit, $5 offset, $6 and $7 the listed profiles. */
function list<Row = RelatedAccount>({ name, from, owner, other, where = 'true', columns = '' }: Relation): List<Row> {
  const page = (direction: Keyset['direction']) => {
    const order = `order by r.id ${direction === 'older' ? 'desc' : 'asc'}`;
    return sql<Row>(
      `${name}.${direction}`,
      `select r.id as cursor, ${COUNT_COLUMNS}${columns}
       from (select * from ${from} r where r.${owner} = $1 and ${where} and r.id < $2::bigint and r.id > $3::bigint
         ${order} limit ${mostExamined('$6', '$7')}) r
       join accounts a on a.id = r.${other} ${ACCOUNT_JOINS}
       where ${IS_ACTIVE} and ${isListed('a', '$6', '$7')} ${order} limit $4 offset $5`,
    );
  };
  return { older: page('older'), newer: page('newer') };
}

const [follower, followee] = ['follower_id', 'followee_id'];
const outgoing = { owner: 'account_id', other: 'target_id' };

// Index: the name of the table with _followers, _following, _requests, or _account.
const LISTS = {
  followers: list({
    name: 'follows.followers',
    from: 'follows',
    owner: followee,
    other: follower,
    where: isAccepted('r'),
  }),
  following: list({
    name: 'follows.following',
    from: 'follows',
    owner: follower,
    other: followee,
    where: isAccepted('r'),
  }),
  requests: list({
    name: 'follows.requests',
    from: 'follows',
    owner: followee,
    other: follower,
    where: isPending('r'),
  }),
  endorsed: list({ name: 'endorsements.list', from: 'endorsements', ...outgoing }),
};

const blocked = list<BlockedAccount>({
  name: 'blocks.list',
  from: 'blocks',
  ...outgoing,
  where: isUnexpired('r'),
  columns: ', r.expires_at as "blockExpiresAt"',
});

const muted = list<MutedAccount>({
  name: 'mutes.list',
  from: 'mutes',
  ...outgoing,
  where: isUnexpired('r'),
  columns: ', r.expires_at as "muteExpiresAt"',
});

export type RelatedList = keyof typeof LISTS;

/** A page of a list: its owner, its place, and the profiles that its reader may see. */
export interface Wanted {
  readonly ownerId: string;
  readonly keyset: Keyset;
  readonly offset: number;
  readonly listed: ListedProfiles;
}

/** Pages of related accounts, in the direction of the keyset. */
@Injectable()
export class RelatedRepository {
  constructor(private readonly db: Database) {}

  page(name: RelatedList, wanted: Wanted): Promise<RelatedAccount[]> {
    return this.rows(LISTS[name], wanted);
  }

  blocked(wanted: Wanted): Promise<BlockedAccount[]> {
    return this.rows(blocked, wanted);
  }

  muted(wanted: Wanted): Promise<MutedAccount[]> {
    return this.rows(muted, wanted);
  }

  private rows<Row>(statements: List<Row>, { ownerId, keyset, offset, listed }: Wanted): Promise<Row[]> {
    const { direction, below, above, limit } = keyset;
    const { here, elsewhere } = listed;
    return this.db.rows(statements[direction], [ownerId, below, above, limit, offset, here, elsewhere]);
  }
}
