import { Injectable } from '@nestjs/common';
import { Database, sql, UnitOfWork } from '../../platform/index.js';
import { Relay, RelayFollower, type RelayState } from './relay.entities.js';

const actorsOf = (name: string, table: string, where: string) =>
  sql<{ apId: string }>(
    `relays.${name}`,
    `select a.ap_id as "apId" from ${table} r join accounts a on a.id = r.account_id
     where ${where} and a.deactivated_at is null order by r.created_at, a.id`,
  );
const actors = {
  followers: actorsOf('followers', 'relay_followers', 'true'),
  following: actorsOf('following', 'relays', `r.state = 'accepted'`),
};

/** All access to `relays` and `relay_followers`. */
@Injectable()
export class RelaysRepository {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  /** In the order in which they were added. */
  list(): Promise<Relay[]> {
    return this.uow.manager.find(Relay, { order: { id: 'ASC' } });
  }

  find(where: {
    readonly address?: string;
    readonly followUri?: string;
    readonly accountId?: string;
  }): Promise<Relay | null> {
    return this.uow.manager.findOneBy(Relay, where);
  }

  /** Stores a relay that is asked, for the first time or again. */
  async save(relay: Pick<Relay, 'address' | 'style' | 'inbox' | 'followUri' | 'accountId'>): Promise<void> {
    await this.uow.manager.upsert(Relay, { ...relay, state: 'pending' }, ['address']);
  }

  async answered(id: number, state: RelayState, accountId: string): Promise<void> {
    await this.uow.manager.update(Relay, { id }, { state, accountId });
  }

  async remove(id: number): Promise<void> {
    await this.uow.manager.delete(Relay, { id });
  }

  async addFollower(accountId: string): Promise<void> {
    await this.uow.manager.upsert(RelayFollower, { accountId }, ['accountId']);
  }

  /** Whether the account was a follower. */
  async removeFollower(accountId: string): Promise<boolean> {
    return (await this.uow.manager.delete(RelayFollower, { accountId })).affected === 1;
  }

  /** The actors that follow the relay actor, or that it follows. */
  async actors(which: 'followers' | 'following'): Promise<string[]> {
    return (await this.db.rows(actors[which])).map(({ apId }) => apId);
  }
}
