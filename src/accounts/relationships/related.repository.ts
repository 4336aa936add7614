import { Injectable } from '@nestjs/common';
import { Database, type Keyset, sql, type Statement } from '../../platform/index.js';
import type { AccountCounts } from '../model/account.rows.js';
import { ACCOUNT_TABLES, COUNT_COLUMNS, IS_ACTIVE } from '../model/account.sql.js';
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

/** The active accounts related to an owner. $1 owner, $2 below, $3 above, $4 limit, $5 offset. */
function list<Row = RelatedAccount>({ name, from, owner, other, where = 'true', columns = '' }: Relation): List<Row> {
  const page = (direction: Keyset['direction']) =>
    sql<Row>(
      `${name}.${direction}`,
      `select r.id as cursor, ${COUNT_COLUMNS}${columns} from ${ACCOUNT_TABLES} join ${from} r on r.${other} = a.id
       where r.${owner} = $1 and ${where} and r.id < $2::bigint and r.id > $3::bigint and ${IS_ACTIVE}
       order by r.id ${direction === 'older' ? 'desc' : 'asc'} limit $4 offset $5`,
    );
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

/** Pages of related accounts, in the direction of the keyset. */
@Injectable()
export class RelatedRepository {
  constructor(private readonly db: Database) {}

  page(name: RelatedList, ownerId: string, keyset: Keyset, offset: number): Promise<RelatedAccount[]> {
    return this.rows(LISTS[name], ownerId, keyset, offset);
  }

  blocked(ownerId: string, keyset: Keyset, offset: number): Promise<BlockedAccount[]> {
    return this.rows(blocked, ownerId, keyset, offset);
  }

  muted(ownerId: string, keyset: Keyset, offset: number): Promise<MutedAccount[]> {
    return this.rows(muted, ownerId, keyset, offset);
  }

  private rows<Row>(
    statements: List<Row>,
    ownerId: string,
    { direction, below, above, limit }: Keyset,
    offset: number,
  ): Promise<Row[]> {
    return this.db.rows(statements[direction], [ownerId, below, above, limit, offset]);
  }
}
