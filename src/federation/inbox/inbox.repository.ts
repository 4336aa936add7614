import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, purge, sql } from '../../platform/index.js';

/** A verified activity. */
export interface NewActivity {
  readonly activityId: string;
  readonly host: string;
  /** The account whose key signed it. */
  readonly actorId: string;
  /** The account whose own inbox received it; null for the shared inbox. */
  readonly inboxOf: string | null;
  /** JSON. */
  readonly body: string;
}

export interface QueuedActivity {
  readonly id: string;
  readonly host: string;
  readonly actor_id: string;
  readonly inbox_of: string | null;
  readonly body: string;
  readonly attempts: number;
}

/** How full the queue is. */
export interface InboxDepth {
  readonly waiting: number;
  /** Seconds since the oldest waiting activity was received. */
  readonly oldest: number;
}

/** Activities of one host in a batch, while other hosts wait too. */
const OF_ONE_HOST = 25;
/** A claim holds for so long: only a dead process lets it run out. */
const LEASE_SECONDS = 120;

const add = sql(
  'inbox.add',
  `with seen as (insert into seen_activities (digest) values ($1) on conflict do nothing returning digest)
   insert into inbox_queue (host, actor_id, inbox_of, body) select $2, $3, $4, $5 from seen`,
);

const isSeen = sql('inbox.is_seen', `select from seen_activities where digest = $1`);

// The hosts that are due are found one by one, so that a flood of one host does not hide the others. Indexes:
// inbox_queue_host, inbox_queue_due.
const claim = sql<QueuedActivity>(
  'inbox.claim',
  `with recursive hosts(host) as (
     (select host from inbox_queue order by host limit 1)
     union all
     select (select q.host from inbox_queue q where q.host > hosts.host order by q.host limit 1) from hosts
     where hosts.host is not null),
   due as materialized (
     select found.id from (select host from hosts where host is not null limit 200) h
     cross join lateral (
       select id from inbox_queue q where q.host = h.host and q.run_at <= now()
       order by q.run_at, q.id limit least($1::int, ${OF_ONE_HOST}) for update skip locked) found
     limit $1::int)
   update inbox_queue q set run_at = now() + interval '${LEASE_SECONDS} seconds' from due where q.id = due.id
   returning q.id::text as id, q.host, q.actor_id, q.inbox_of, q.body, q.attempts`,
);

const done = sql('inbox.done', `delete from inbox_queue where id = any($1::bigint[])`);

const retry = sql(
  'inbox.retry',
  `update inbox_queue set attempts = attempts + 1, run_at = now() + $2::int * interval '1 second', last_error = $3
   where id = $1::bigint`,
);

const depth = sql<InboxDepth>(
  'inbox.depth',
  `select count(*)::int as waiting, coalesce(extract(epoch from now() - min(received_at)), 0)::float8 as oldest
   from inbox_queue`,
);

/** All SQL on `inbox_queue` and `seen_activities`. */
@Injectable()
export class InboxRepository {
  constructor(private readonly db: Database) {}

  /** Queues an activity; false when its id was received before. */
  async add({ activityId, host, actorId, inboxOf, body }: NewActivity): Promise<boolean> {
    return (await this.db.run(add, [digestOf(activityId), host, actorId, inboxOf, body])) === 1;
  }

  /** Whether an activity with this id was received before. */
  async isSeen(activityId: string): Promise<boolean> {
    return (await this.db.run(isSeen, [digestOf(activityId)])) === 1;
  }

  /** Claims due activities, the oldest of each host first, in the order of their arrival. */
  async claim(limit: number): Promise<QueuedActivity[]> {
    const rows = await this.db.rows(claim, [limit]);
    return rows.sort((one, other) => Number(one.id) - Number(other.id));
  }

  async done(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.db.run(done, [ids]);
  }

  /** Tries an activity again after some seconds. */
  async retry(id: string, afterSeconds: number, error: string): Promise<void> {
    await this.db.run(retry, [id, afterSeconds, error.slice(0, 500)]);
  }

  async depth(): Promise<InboxDepth> {
    return (await this.db.first(depth, [])) ?? { waiting: 0, oldest: 0 };
  }

  /** Forgets the ids of activities that were received long ago. */
  async purgeSeen(days: number): Promise<void> {
    const old = { table: 'seen_activities', where: `received_at < now() - $1 * interval '1 day'`, by: 'received_at' };
    await purge(this.db, old, [days]);
  }
}

function digestOf(activityId: string): Buffer {
  return createHash('sha256').update(activityId).digest();
}
