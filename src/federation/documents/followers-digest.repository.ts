import { Injectable } from '@nestjs/common';
import { isAccepted, isAcceptedRemote, isHostApart } from '../../accounts/index.js';
import { Database, sql } from '../../platform/index.js';

/** The server of an account: the host of its id. */
const HOST = `lower(split_part(a.ap_id, '/', 3))`;

// Those on the server of the account itself get nothing delivered. Index: follows_followers.
const digests = sql<{ host: string; bits: string }>(
  'federation.follower_digests',
  `select ${HOST} as host, bit_xor(('x' || encode(sha256(convert_to(a.ap_id, 'UTF8')), 'hex'))::bit(256))::text as bits
   from follows f join accounts a on a.id = f.follower_id where f.followee_id = $1 and ${isAccepted('f')}
     and f.remote_follower = (select domain is null from accounts where id = $1) group by 1`,
);

/** The followers of $1 who live elsewhere, as `f`. */
const REMOTE_FOLLOWER = `f.followee_id = $1 and ${isAcceptedRemote('f')}`;

// $1 account, $2 host. Looks up the accounts of the host among the followers, or reads the remote followers where the host has
// more accounts than there are followers. The order lets PostgreSQL read an index however many accounts it expects of a host.
// Index: accounts_hosts, accounts_hosts_apart, follows_remote_followers, accounts_pkey.
const followersOn = sql<{ apId: string }>(
  'federation.followers_on_host',
  `with bound as materialized (select coalesce((select followers_count from account_stats where account_id = $1), 0) + 1 as most),
   known as materialized (
     (select a.id from accounts a where a.domain = $2 order by split_part(a.ap_id, '/', 3) limit (select most from bound))
     union all (select a.id from accounts a where ${isHostApart('a', '$2')} limit (select most from bound))),
   way as materialized (select count(*) < (select most from bound) as is_by_host from known),
   follower as (
     select f.id, f.follower_id from known cross join lateral (
       select f.id, f.follower_id from follows f
       where (select is_by_host from way) and ${REMOTE_FOLLOWER} and f.follower_id = known.id limit 1) f
     union all
     select f.id, f.follower_id from follows f where not (select is_by_host from way) and ${REMOTE_FOLLOWER})
   select a.ap_id as "apId" from follower f join accounts a on a.id = f.follower_id where ${HOST} = $2 order by f.id`,
);

/** Reads the followers of an account by their servers. */
@Injectable()
export class FollowersDigestRepository {
  constructor(private readonly db: Database) {}

  /** The XOR of the SHA-256 of the ids of the followers on each other host, as binary digits. */
  digests(accountId: string): Promise<{ host: string; bits: string }[]> {
    return this.db.rows(digests, [accountId]);
  }

  /** The ids of the followers on a host. */
  async followersOn(accountId: string, host: string): Promise<string[]> {
    return (await this.db.rows(followersOn, [accountId, host])).map((row) => row.apId);
  }
}
