import { Injectable } from '@nestjs/common';
import { Database, sql, UnitOfWork } from '../../platform/index.js';
import { IS_ACTIVE } from '../model/account.sql.js';
import { isAccepted } from '../model/relations.sql.js';
import { Endorsement } from '../model/relationship.entities.js';

/** The result of an endorsement. */
export interface Endorsing {
  /** Whether the account follows the other and the follow is accepted. */
  readonly follows: boolean;
  /** Whether the other is endorsed now. */
  readonly endorsed: boolean;
}

// The share lock keeps the follow; the new row ends with it. Only accounts that the list shows count. Index: follows_pair, endorsements_pair,
// endorsements_account.
const add = sql<Endorsing>(
  'endorsements.add',
  `with follow as materialized (
     select follower_id, followee_id from follows where follower_id = $1 and followee_id = $2 and ${isAccepted('follows')} for key share),
   known as materialized (
     select count(*) as rows, bool_or(e.target_id = $2) as it
     from endorsements e join accounts a on a.id = e.target_id left join users u on u.account_id = a.id
     where e.account_id = $1 and ${IS_ACTIVE}),
   added as (
     insert into endorsements (account_id, target_id)
     select f.follower_id, f.followee_id from follow f, known k where k.rows < $3
     on conflict (account_id, target_id) do nothing returning id)
   select exists (select from follow) as follows, exists (select from added) or coalesce(k.it, false) as endorsed from known k`,
);

/** All writes on `endorsements`; the end of a follow deletes its row. */
@Injectable()
export class EndorsementRepository {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  /** Endorses a followee while there are fewer than `max`. Inside a unit that holds the lock. */
  async add(accountId: string, targetId: string, max: number): Promise<Endorsing> {
    return (await this.db.first(add, [accountId, targetId, max])) ?? { follows: false, endorsed: false };
  }

  async remove(accountId: string, targetId: string): Promise<void> {
    await this.uow.manager.delete(Endorsement, { accountId, targetId });
  }
}
