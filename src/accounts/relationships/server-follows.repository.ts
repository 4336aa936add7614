import { Injectable } from '@nestjs/common';
import { Database, FIRST_ID, someRow, sql } from '../../platform/index.js';
import { isAccepted, isPending } from '../model/relations.sql.js';
import { isOfServer } from '../model/server-names.js';
import { type EndedFollow, endThose } from './follow.repository.js';

/** The accepted follows between an account and the accounts of a server. */
export interface FollowsWithServer {
  readonly followingCount: number;
  readonly followersCount: number;
}

/** A follow by or of an account, and its place in the order in which they are read. */
interface ReadFollow {
  readonly id: string;
  readonly cursor: string;
  /** Whether the other account belongs to the server. */
  readonly isOfServer: boolean;
}

/** What a count reads of each: an account may have millions of followers, and a server as many accounts. */
const MOST_COUNTED = 10_000;

/** Asks for the server of each account: a large server has far more accounts than any account has follows. */
const otherIsOfServer = (other: string) =>
  `(select ${isOfServer('a', '$2')} from accounts a where a.id = f.${other}) as "isOfServer"`;

// Reads the newest follows. Where there are more, some accounts of the server may give a higher number: it is exact unless
// there are more of both.
const countOf = (own: string, other: string) =>
  `(select case when count(*) < $3 then count(*) filter (where newest."isOfServer") else greatest(
       count(*) filter (where newest."isOfServer"),
       (select count(*) from known where coalesce((
          select true from follows f where f.${own} = $1 and f.${other} = known.id and ${isAccepted('f')}), false))) end::int
     from (select ${otherIsOfServer(other)} from follows f where f.${own} = $1 and ${isAccepted('f')}
       order by f.id desc limit $3) newest)`;

// Index: follows_following, follows_followers, accounts_pkey for each; accounts_hosts, accounts_hosts_apart, follows_pair.
const count = sql<FollowsWithServer>(
  'follows.count_with_server',
  `with known as materialized (select a.id from accounts a where ${isOfServer('a', '$2')} limit $3)
   select ${countOf('follower_id', 'followee_id')} as "followingCount",
     ${countOf('followee_id', 'follower_id')} as "followersCount"`,
);

/** Reads the next follows in the order of an index, of every server: a step is bounded even where none is of the server. */
const next = (name: string, { own, other, cursor }: Record<'own' | 'other' | 'cursor', string>) =>
  sql<ReadFollow>(
    `follows.${name}_with_server`,
    `select f.id, ${cursor}::text as cursor, ${otherIsOfServer(other)} from follows f where f.${own} and ${cursor} > $3
     order by ${cursor} limit $4`,
  );

const ofFollower = { own: `followee_id = $1 and ${isPending('f')}`, other: 'follower_id', cursor: 'f.id' };

// Index: follows_requests, follows_followers, follows_pair; accounts_pkey for each.
const readers = {
  requests: { first: '0', statement: next('requests', ofFollower) },
  followers: {
    first: '0',
    statement: next('followers', { ...ofFollower, own: `followee_id = $1 and ${isAccepted('f')}` }),
  },
  followees: {
    first: FIRST_ID,
    statement: next('followees', { own: 'follower_id = $1', other: 'followee_id', cursor: 'f.followee_id' }),
  },
};

export type ServerFollows = keyof typeof readers;

/** Requests first: one that is accepted meanwhile is found among the followers. */
export const SERVER_FOLLOWS: readonly ServerFollows[] = ['requests', 'followers', 'followees'];

// Index: follows_pkey, domain_blocks_pkey.
const end = endThose(
  'follows.end_of_domain',
  `select unnest($3::bigint[]) where ${someRow('domain_blocks d where d.account_id = $1 and d.domain = $2')}`,
);

/** SQL on the follows between an account and the accounts of a server. */
@Injectable()
export class ServerFollowsRepository {
  constructor(private readonly db: Database) {}

  /**
   * Exact unless the account has more than 10,000 follows of a kind and the server more than 10,000 accounts; then it may be
   * too low.
   */
  async count(accountId: string, server: string): Promise<FollowsWithServer> {
    const counts = await this.db.first(count, [accountId, server, MOST_COUNTED]);
    return counts ?? { followingCount: 0, followersCount: 0 };
  }

  /** The cursor before the first follow of a kind. */
  firstOf(kind: ServerFollows): string {
    return readers[kind].first;
  }

  /** The next `limit` follows or requests of a kind, also those with other servers. */
  next(kind: ServerFollows, accountId: string, server: string, after: string, limit: number): Promise<ReadFollow[]> {
    return this.db.rows(readers[kind].statement, [accountId, server, after, limit]);
  }

  /** Ends follows between an account and a domain, unless it is not blocked any longer. */
  end(accountId: string, domain: string, ids: readonly string[]): Promise<EndedFollow[]> {
    return this.db.rows(end, [accountId, domain, ids]);
  }
}
