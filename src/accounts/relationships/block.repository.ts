import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/index.js';
import { isExpired, isUnexpired } from '../model/relations.sql.js';

/** The locations of the two accounts of a block. */
export interface BlockSides {
  readonly actorLocal: boolean;
  readonly targetLocal: boolean;
}

/** A block or mute that was deleted. */
export interface EndedPair extends BlockSides {
  readonly accountId: string;
  readonly targetId: string;
}

const SIDES = `(select domain is null from accounts where id = account_id) as "actorLocal",
  (select domain is null from accounts where id = target_id) as "targetLocal"`;

/** The duration of a block, null for no end, and the id of its activity, null for a local account. */
interface NewBlock {
  readonly seconds: number | null;
  readonly uri: string | null;
}

// `$3` is the duration in seconds, null for no end, `$4` the id of the activity of a remote account.
const block = sql<BlockSides>(
  'blocks.save',
  `insert into blocks (account_id, target_id, expires_at, uri) values ($1, $2, now() + $3::float8 * interval '1 second', $4)
   on conflict (account_id, target_id) do update set expires_at = excluded.expires_at, uri = excluded.uri
   returning ${SIDES}`,
);

const targetOf = sql<{ targetId: string }>(
  'blocks.target_of',
  `select target_id as "targetId" from blocks where uri = $1 and account_id = $2`,
);

const unblock = sql<BlockSides>(
  'blocks.end',
  `delete from blocks where account_id = $1 and target_id = $2 returning ${SIDES}`,
);

const mute = sql(
  'mutes.save',
  `insert into mutes (account_id, target_id, notifications, expires_at)
   values ($1, $2, $4, now() + $3::float8 * interval '1 second')
   on conflict (account_id, target_id)
     do update set notifications = excluded.notifications, expires_at = excluded.expires_at`,
);

/** Those of this server that block or mute an account. */
const ownersAgainst = (table: 'blocks' | 'mutes') =>
  sql<{ accountId: string }>(
    `${table}.owners_against`,
    `select r.account_id as "accountId" from ${table} r join users u on u.account_id = r.account_id
     where r.target_id = $1 and r.account_id > $2 and ${isUnexpired('r')} order by r.account_id limit $3`,
  );
// Index: blocks_target, mutes_target.
const [blockersOf, mutersOf] = [ownersAgainst('blocks'), ownersAgainst('mutes')];

// `$3` gets what `$2` has. A row of its own stays; one that has expired counts as absent.
const copyBlock = sql<BlockSides>(
  'blocks.copy',
  `insert into blocks (account_id, target_id, expires_at)
   select account_id, $3, expires_at from blocks o where account_id = $1 and target_id = $2 and ${isUnexpired('o')}
   on conflict (account_id, target_id) do update set expires_at = excluded.expires_at where ${isExpired('blocks')}
   returning ${SIDES}`,
);

const copyMute = sql(
  'mutes.copy',
  `insert into mutes (account_id, target_id, notifications, expires_at)
   select account_id, $3, notifications, expires_at from mutes o where account_id = $1 and target_id = $2 and ${isUnexpired('o')}
   on conflict (account_id, target_id)
     do update set notifications = excluded.notifications, expires_at = excluded.expires_at where ${isExpired('mutes')}`,
);

// The array makes PostgreSQL choose the ids once.
const endExpired = (table: 'blocks' | 'mutes') =>
  sql<EndedPair>(
    `${table}.end_expired`,
    `delete from ${table} where ${isExpired(table)} and id = any(array(
       select id from ${table} where ${isExpired(table)} order by expires_at limit $1 for update skip locked))
     returning account_id as "accountId", target_id as "targetId", ${SIDES}`,
  );
const [endExpiredBlocks, endExpiredMutes] = [endExpired('blocks'), endExpired('mutes')];

const unmute = sql('mutes.end', `delete from mutes where account_id = $1 and target_id = $2`);

/** All writes on `blocks` and `mutes`. Index of the pairs: blocks_pair, mutes_pair. */
@Injectable()
export class BlockRepository {
  constructor(private readonly db: Database) {}

  /** Blocks an account, or changes the duration of the block. */
  async block(accountId: string, targetId: string, { seconds, uri }: NewBlock): Promise<BlockSides> {
    const sides = await this.db.first(block, [accountId, targetId, seconds, uri]);
    if (!sides) throw new Error('The block was not stored');
    return sides;
  }

  async targetOf(uri: string, accountId: string): Promise<string | undefined> {
    return (await this.db.first(targetOf, [uri, accountId]))?.targetId;
  }

  /** Returns the sides of the block; undefined when there was none. */
  unblock(accountId: string, targetId: string): Promise<BlockSides | undefined> {
    return this.db.first(unblock, [accountId, targetId]);
  }

  /** Mutes an account, or changes the options of the mute. */
  async mute(accountId: string, targetId: string, seconds: number | undefined, notifications: boolean): Promise<void> {
    await this.db.run(mute, [accountId, targetId, seconds ?? null, notifications]);
  }

  async unmute(accountId: string, targetId: string): Promise<void> {
    await this.db.run(unmute, [accountId, targetId]);
  }

  /** Ids above `after` of accounts here that block an account. */
  async blockersOf(targetId: string, after: string, limit: number): Promise<string[]> {
    return (await this.db.rows(blockersOf, [targetId, after, limit])).map((row) => row.accountId);
  }

  /** Ids above `after` of accounts here that mute an account. */
  async mutersOf(targetId: string, after: string, limit: number): Promise<string[]> {
    return (await this.db.rows(mutersOf, [targetId, after, limit])).map((row) => row.accountId);
  }

  /** Blocks `copyId` like `targetId`; undefined when nothing changes. */
  copyBlock(accountId: string, targetId: string, copyId: string): Promise<BlockSides | undefined> {
    return this.db.first(copyBlock, [accountId, targetId, copyId]);
  }

  /** Mutes `copyId` like `targetId`; false when nothing changes. */
  async copyMute(accountId: string, targetId: string, copyId: string): Promise<boolean> {
    return (await this.db.run(copyMute, [accountId, targetId, copyId])) === 1;
  }

  /** Removes up to `limit` expired blocks. Index: blocks_expiry. */
  endExpiredBlocks(limit: number): Promise<EndedPair[]> {
    return this.db.rows(endExpiredBlocks, [limit]);
  }

  /** Removes up to `limit` expired mutes. Index: mutes_expiry. */
  endExpiredMutes(limit: number): Promise<EndedPair[]> {
    return this.db.rows(endExpiredMutes, [limit]);
  }
}
