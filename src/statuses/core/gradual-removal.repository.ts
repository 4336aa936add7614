import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/index.js';
import { isCountedHere } from '../model/popular.sql.js';
import type { ForgottenEntry, RemovedEntry } from '../model/removed-status.js';

/** The number of references that one step removed, and the boosts among them. */
interface RemovedReferences {
  readonly count: number;
  readonly reblogs: readonly ForgottenEntry[];
}

// Whoever refers to the post at this moment waits, and fails when it is gone.
const lock = sql<RemovedEntry>(
  'popular_posts.lock',
  `select author_id as "authorId", visibility from statuses where id = $1 and author_id = $2 for update`,
);

/**
 * Locks rows in the order of their ids, as recounts do, so that the two cannot deadlock. An array: PostgreSQL may run a
 * subselect after `in` again for each row, which then finds the next rows.
 */
const some = (table: string, column: string) =>
  `any(array(select id from ${table} where ${column} = $1 order by id limit $2 for update))`;

// Index: statuses_reblogs_newest.
const removeReblogs = sql<ForgottenEntry>(
  'popular_posts.remove_boosts',
  `delete from statuses where id = ${some('statuses', 'reblog_of_id')}
   returning author_id as "authorId", visibility, ${isCountedHere('statuses.author_id')} as "isCounted"`,
);

// As the foreign keys do it when the post goes, and the bodies of quotes say that it is deleted. Index: statuses_replies,
// statuses_quotes, favourites_status, reactions_one, bookmarks_status, notifications_of_status, poll_votes_pkey.
const others = [
  sql(
    'popular_posts.detach_replies',
    `update statuses set in_reply_to_id = null where id = ${some('statuses', 'in_reply_to_id')}`,
  ),
  sql(
    'popular_posts.detach_quotes',
    `update statuses set quote_of_id = null, version = version + 1 where id = ${some('statuses', 'quote_of_id')}`,
  ),
  sql('popular_posts.remove_favourites', `delete from favourites where id = ${some('favourites', 'status_id')}`),
  sql('popular_posts.remove_reactions', `delete from reactions where id = ${some('reactions', 'status_id')}`),
  sql('popular_posts.remove_bookmarks', `delete from bookmarks where id = ${some('bookmarks', 'status_id')}`),
  sql(
    'popular_posts.remove_notifications',
    `delete from notifications where id = ${some('notifications', 'status_id')}`,
  ),
  sql(
    'popular_posts.remove_votes',
    `delete from poll_votes where (poll_id, account_id) in (
       select v.poll_id, v.account_id from polls p join poll_votes v on v.poll_id = p.id where p.status_id = $1 limit $2)`,
  ),
];

const remove = sql('popular_posts.remove', `delete from statuses where id = $1`);

/** Removes what is left of a popular post. */
@Injectable()
export class GradualRemovalRepository {
  constructor(private readonly db: Database) {}

  /** Locks the post until the unit ends, if it belongs to this account. */
  lock(id: string, ownerId: string): Promise<RemovedEntry | undefined> {
    return this.db.first(lock, [id, ownerId]);
  }

  /** Removes up to `limit` references of each kind. */
  async removeReferences(id: string, limit: number): Promise<RemovedReferences> {
    const [reblogs, ...counts] = await Promise.all([
      this.db.rows(removeReblogs, [id, limit]),
      ...others.map((statement) => this.db.run(statement, [id, limit])),
    ]);
    return { count: counts.reduce((sum, count) => sum + count, reblogs.length), reblogs };
  }

  async remove(id: string): Promise<void> {
    await this.db.run(remove, [id]);
  }
}
