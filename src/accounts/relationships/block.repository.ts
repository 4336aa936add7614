import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/index.js';

/** A block or mute that was deleted. */
export interface EndedPair {
  readonly account_id: string;
  readonly target_id: string;
}

// `$3` is the duration in seconds, null for no end.
const block = sql(
  'blocks.save',
  `insert into blocks (account_id, target_id, expires_at) values ($1, $2, now() + $3::float8 * interval '1 second')
   on conflict (account_id, target_id) do update set expires_at = excluded.expires_at`,
);

const unblock = sql('blocks.end', `delete from blocks where account_id = $1 and target_id = $2`);

const mute = sql(
  'mutes.save',
  `insert into mutes (account_id, target_id, notifications, expires_at)
   values ($1, $2, $4, now() + $3::float8 * interval '1 second')
   on conflict (account_id, target_id)
     do update set notifications = excluded.notifications, expires_at = excluded.expires_at`,
);

const unmute = sql('mutes.end', `delete from mutes where account_id = $1 and target_id = $2`);

/** All writes on `blocks` and `mutes`. Index of the pairs: blocks_pair, mutes_pair. */
@Injectable()
export class BlockRepository {
  constructor(private readonly db: Database) {}

  /** Blocks an account, or changes the duration of the block. */
  async block(accountId: string, targetId: string, seconds: number | undefined): Promise<void> {
    await this.db.run(block, [accountId, targetId, seconds ?? null]);
  }

  /** Returns whether there was a block. */
  async unblock(accountId: string, targetId: string): Promise<boolean> {
    return (await this.db.run(unblock, [accountId, targetId])) === 1;
  }

  /** Mutes an account, or changes the options of the mute. */
  async mute(accountId: string, targetId: string, seconds: number | undefined, notifications: boolean): Promise<void> {
    await this.db.run(mute, [accountId, targetId, seconds ?? null, notifications]);
  }

  async unmute(accountId: string, targetId: string): Promise<void> {
    await this.db.run(unmute, [accountId, targetId]);
  }

  /** Removes up to `limit` expired blocks. Index: blocks_expiry. */
  endExpiredBlocks(limit: number): Promise<EndedPair[]> {
    return this.endExpired('blocks', limit);
  }

  /** Removes up to `limit` expired mutes. Index: mutes_expiry. */
  endExpiredMutes(limit: number): Promise<EndedPair[]> {
    return this.endExpired('mutes', limit);
  }

  /** The array makes PostgreSQL choose the ids once. */
  private endExpired(table: 'blocks' | 'mutes', limit: number): Promise<EndedPair[]> {
    return this.db.query(
      `delete from ${table} where expires_at <= now() and id = any(array(
         select id from ${table} where expires_at <= now() order by expires_at limit $1 for update skip locked))
       returning account_id, target_id`,
      [limit],
    );
  }
}
