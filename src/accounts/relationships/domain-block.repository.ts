import { Injectable } from '@nestjs/common';
import { Database, type Keyset, sql, UnitOfWork } from '../../platform/index.js';
import { DomainBlock } from '../model/relationship.entities.js';

export interface BlockedDomain {
  readonly cursor: string;
  readonly domain: string;
}

// Waits for follows in progress: later ones see the block, and these are removed with the others.
const lock = sql(
  'domain_blocks.lock',
  `select pg_advisory_xact_lock(hashtextextended('domain_blocks ' || $1::text, 0))`,
);

// Index: domain_blocks_account.
const page = (direction: Keyset['direction']) =>
  sql<BlockedDomain>(
    `domain_blocks.list.${direction}`,
    `select id as cursor, domain from domain_blocks where account_id = $1 and id < $2::bigint and id > $3::bigint
     order by id ${direction === 'older' ? 'desc' : 'asc'} limit $4 offset $5`,
  );

const pages = { older: page('older'), newer: page('newer') };

/** All writes on `domain_blocks`, and their list. */
@Injectable()
export class DomainBlockRepository {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  /** Locks the follows and followers of the account until the unit ends. */
  async lock(accountId: string): Promise<void> {
    await this.db.rows(lock, [accountId]);
  }

  /** Returns whether the block is new. */
  async block(accountId: string, domain: string): Promise<boolean> {
    const block = this.uow.manager.createQueryBuilder().insert().into(DomainBlock).values({ accountId, domain });
    return ((await block.orIgnore().returning(['domain']).execute()).raw as unknown[]).length === 1;
  }

  async unblock(accountId: string, domain: string): Promise<void> {
    await this.uow.manager.delete(DomainBlock, { accountId, domain });
  }

  page(accountId: string, { direction, below, above, limit }: Keyset, offset: number): Promise<BlockedDomain[]> {
    return this.db.rows(pages[direction], [accountId, below, above, limit, offset]);
  }
}
