import { Injectable } from '@nestjs/common';
import { isAccepted } from '../../accounts/index.js';
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

// Index: follows_followers.
const followersOn = sql<{ apId: string }>(
  'federation.followers_on_host',
  `select a.ap_id as "apId" from follows f join accounts a on a.id = f.follower_id
   where f.followee_id = $1 and ${isAccepted('f')} and ${HOST} = $2 order by f.id`,
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
