import { Injectable } from '@nestjs/common';
import { blocksServerOf, eitherBlocks, mutes } from '../../accounts/index.js';
import { Database, someRow, sql } from '../../platform/index.js';
import { postsAbove } from '../model/page.sql.js';
import { isDeactivated, PUBLIC } from '../model/visibility.js';

/** The post stands in a thread that the followers of the group have: below its own post or one that it boosted. */
const IS_SHOWN_THREAD = someRow(`above where above.author_id = a.id
  or ${someRow('statuses b where b.reblog_of_id = above.id and b.author_id = a.id')}`);

// Indexes: mentions_pkey, statuses_reblogs.
const addressed = sql<{ id: string }>(
  'group_boosts.addressed',
  `with recursive above as (
     ${postsAbove('(select in_reply_to_id from statuses where id = $1 and in_reply_to_id is not null) below')})
   select a.id from statuses post join mentions m on m.status_id = post.id join accounts a on a.id = m.account_id
     join accounts author on author.id = post.author_id
   where post.id = $1 and ${PUBLIC.sql('post')} and post.created_at > now() - make_interval(days => $2)
     and a.domain is null and a.actor_type = 'Group' and a.id <> post.author_id
     and not ${isDeactivated('a.id')} and not ${isDeactivated('post.author_id')}
     and not ${eitherBlocks('a.id', 'post.author_id')} and not ${mutes('a.id', 'post.author_id')}
     and not ${blocksServerOf('a.id', 'author')} and not ${IS_SHOWN_THREAD}
   order by a.id`,
);

// Index: statuses_author.
const countSince = sql<{ boosts: number }>(
  'group_boosts.count_since',
  `select count(*)::int as boosts from statuses where author_id = $1 and id >= $2 and reblog_of_id is not null`,
);

/** Which groups of this server boost a post, and how much they boosted lately. */
@Injectable()
export class GroupBoostsRepository {
  constructor(private readonly db: Database) {}

  /** The ids of the groups here that a public post addresses, and whose followers do not have its thread already. */
  async addressedBy(statusId: string, days: number): Promise<string[]> {
    return (await this.db.rows(addressed, [statusId, days])).map(({ id }) => id);
  }

  /** The number of boosts of an account since an id. */
  async countSince(accountId: string, firstId: string): Promise<number> {
    return (await this.db.first(countSince, [accountId, firstId]))?.boosts ?? 0;
  }
}
