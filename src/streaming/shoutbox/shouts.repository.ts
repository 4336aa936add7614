import { Injectable } from '@nestjs/common';
import { LessThanOrEqual } from 'typeorm';
import { eitherBlocks, IS_ACTIVE, mutes } from '../../accounts/index.js';
import { Database, sql, UnitOfWork } from '../../platform/index.js';
import { Shout } from './shout.entity.js';

export type ShoutRow = Pick<Shout, 'id' | 'text'> & { readonly accountId: string };

const hides = (viewer: string, author: string) => `(${eitherBlocks(viewer, author)} or ${mutes(viewer, author)})`;

const newest = sql<ShoutRow>(
  'shouts.newest',
  `select sh.id, sh.account_id as "accountId", sh.text from shouts sh join accounts a on a.id = sh.account_id
   left join users u on u.account_id = a.id
   where ${IS_ACTIVE} and not ${hides('$1', 'sh.account_id')}
   order by sh.id desc limit $2`,
);

const readers = sql<{ id: string }>(
  'shouts.readers',
  `select reader.id from unnest($2::text[]) reader (id) where not ${hides('reader.id', '$1')}`,
);

/** All SQL on `shouts`. */
@Injectable()
export class ShoutsRepository {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  /** The newest messages that an account may read, the newest first. */
  newest(viewerId: string, limit: number): Promise<ShoutRow[]> {
    return this.db.rows(newest, [viewerId, limit]);
  }

  find(id: string): Promise<Shout | null> {
    return this.uow.manager.findOneBy(Shout, { id });
  }

  /** Returns the accounts that neither block nor mute the author and that the author does not block. */
  async readers(authorId: string, among: readonly string[]): Promise<Set<string>> {
    return new Set((await this.db.rows(readers, [authorId, among])).map(({ id }) => id));
  }

  async add(accountId: string, text: string): Promise<string> {
    const { identifiers } = await this.uow.manager.insert(Shout, { accountId, text });
    return (identifiers[0] as Pick<Shout, 'id'>).id;
  }

  /** Removes all but about the newest `count` messages. */
  async trim(newestId: string, count: number): Promise<void> {
    const lastRemoved = String(BigInt(newestId) - BigInt(count));
    await this.uow.manager.delete(Shout, { id: LessThanOrEqual(lastRemoved) });
  }
}
