import { Injectable } from '@nestjs/common';
import { Database, sql, UnitOfWork } from '../../platform/index.js';
import type { AccountCounts } from '../model/account.rows.js';
import { ACCOUNT_TABLES, COUNT_COLUMNS, IS_ACTIVE } from '../model/account.sql.js';
import { SuggestedAccount } from '../model/suggestion.entities.js';
import { isSuggestible } from './discoverability.sql.js';

// $1 viewer, $2 limit. Reads all suggestions, which are few. Index: follows_pair, dismissed_suggestions_pkey.
const list = sql<AccountCounts>(
  'suggestions.list',
  `select ${COUNT_COLUMNS} from ${ACCOUNT_TABLES} join suggested_accounts g on g.account_id = a.id
   where a.id <> $1 and a.moved_to_id is null and ${IS_ACTIVE} and ${isSuggestible('a', '$1')}
     and not exists (select from follows f where f.follower_id = $1 and f.followee_id = a.id)
     and not exists (select from dismissed_suggestions d where d.account_id = $1 and d.target_id = a.id)
   order by g.created_at desc, a.id desc limit $2`,
);

const dismiss = sql(
  'suggestions.dismiss',
  `insert into dismissed_suggestions (account_id, target_id)
   select $1, g.account_id from suggested_accounts g where g.account_id = $2 for key share on conflict do nothing`,
);

/** All SQL on `suggested_accounts` and `dismissed_suggestions`. */
@Injectable()
export class SuggestionRepository {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  /** The suggestions for the viewer, latest first. */
  list(viewerId: string, limit: number): Promise<AccountCounts[]> {
    return this.db.rows(list, [viewerId, limit]);
  }

  /** Stores that the viewer dismissed a suggestion, if the account is one. */
  async dismiss(accountId: string, targetId: string): Promise<void> {
    await this.db.run(dismiss, [accountId, targetId]);
  }

  async add(accountId: string): Promise<void> {
    const insert = this.uow.manager.createQueryBuilder().insert().into(SuggestedAccount).values({ accountId });
    await insert.orIgnore().execute();
  }

  async remove(accountId: string): Promise<void> {
    await this.uow.manager.delete(SuggestedAccount, { accountId });
  }
}
