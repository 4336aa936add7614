import { Injectable } from '@nestjs/common';
import { blocksServerOf, eitherBlocks, mutes } from '../../accounts/index.js';
import { Database, someRow, sql } from '../../platform/index.js';
import { statusesAbove } from '../model/page.sql.js';
import { isDeactivated, PUBLIC } from '../model/visibility.js';

/** The followers of the group have the thread: it is below a post of the group, or below one that the group boosted. */
const FOLLOWERS_HAVE_THREAD = someRow(`above where above.author_id = a.id
  or ${someRow('statuses b where b.reblog_of_id = above.id and b.author_id = a.id')}`);

// Indexes: mentions_pkey, statuses_reblogs.
const groupsToReblog = sql<{ id: string }>(
  'group_boosts.groups_to_boost',
  `with recursive above as (
     ${statusesAbove('(select in_reply_to_id from statuses where id = $1 and in_reply_to_id is not null) below')})
   select a.id from statuses post join mentions m on m.status_id = post.id join accounts a on a.id = m.account_id
     join accounts author on author.id = post.author_id
   where post.id = $1 and ${PUBLIC.sql('post')} and post.created_at > now() - make_interval(days => $2)
     and ($3::text[] is null or a.id = any($3::text[])) and a.domain is null and a.actor_type = 'Group' and a.id <> post.author_id
     and not ${isDeactivated('a.id')} and not ${isDeactivated('post.author_id')}
     and not ${eitherBlocks('a.id', 'post.author_id')} and not ${mutes('a.id', 'post.author_id')}
     and not ${blocksServerOf('a.id', 'author')} and not ${FOLLOWERS_HAVE_THREAD}
   order by a.id`,
);

// Index: statuses_author.
const countReblogs = sql<{ reblogs: number }>(
  'group_boosts.count_boosts',
  `select count(*)::int as reblogs from statuses where author_id = $1 and id >= $2 and reblog_of_id is not null`,
);

/** Which groups of this server boost a post, and how much they boosted lately. */
@Injectable()
export class GroupReblogsRepository {
  constructor(private readonly db: Database) {}

  /**
   * The ids of the groups of this server that boost a public post of the last days: it addresses them, they do not hide
   * its author, and their followers do not have its thread yet. `among` limits them to some.
   */
  async groupsToReblog(statusId: string, days: number, among: readonly string[] | undefined): Promise<string[]> {
    return (await this.db.rows(groupsToReblog, [statusId, days, among ?? null])).map(({ id }) => id);
  }

  /** The number of boosts of an account since an id. */
  async countReblogsSince(accountId: string, firstId: string): Promise<number> {
    return (await this.db.first(countReblogs, [accountId, firstId]))?.reblogs ?? 0;
  }
}
