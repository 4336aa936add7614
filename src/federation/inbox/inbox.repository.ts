import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { unique } from '../../common/index.js';
import { Batches, Database, purge, sql } from '../../platform/index.js';

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

interface SeenRow {
  /** Hexadecimal. */
  readonly digest: string;
}

/** Activities of one host in a batch, while other hosts wait too. */
const OF_ONE_HOST = 25;

/** Another process drains the inbox at the same time: it has stored an activity that this one was about to store. */
export class ActivityTaken extends Error {
  constructor() {
    super('Another process has stored the activity');
  }
}

// Several activities at once, in the order of their arrival. Each id occurs once.
const add = sql<SeenRow>(
  'inbox.add',
  `with given as (
     select decode(hex, 'hex') as digest, host, actor_id, inbox_of, body, at
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
       with ordinality as given (hex, host, actor_id, inbox_of, body, at)),
   seen as (
     insert into seen_activities (digest) select digest from given order by digest on conflict do nothing
     returning digest),
   queued as (
     insert into inbox_queue (host, actor_id, inbox_of, body)
     select host, actor_id, inbox_of, body from given join seen using (digest) order by at)
   select encode(digest, 'hex') as digest from seen`,
);

// The hosts that are due are found one by one, so that a flood of one host does not hide the others. Locks nothing: one
// job drains at a time, and whoever removes an activity has stored its effect. Index: inbox_queue_host.
const due = sql<QueuedActivity>(
  'inbox.due',
  `with recursive hosts(host) as (
     (select host from inbox_queue order by host limit 1)
     union all
     select (select q.host from inbox_queue q where q.host > hosts.host order by q.host limit 1) from hosts
     where hosts.host is not null),
   due as materialized (
     select found.id from (select host from hosts where host is not null limit 200) h
     cross join lateral (
       select id from inbox_queue q where q.host = h.host and q.run_at <= now()
       order by q.run_at, q.id limit least($1::int, ${OF_ONE_HOST})) found
     limit $1::int)
   select q.id::text as id, q.host, q.actor_id, q.inbox_of, q.body, q.attempts
   from inbox_queue q join due on q.id = due.id order by q.id`,
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
  private readonly additions = new Batches<NewActivity, boolean>((activities) => this.addAll(activities));

  constructor(private readonly db: Database) {}

  /** Queues an activity; false when its id was received before. Outside a unit of work. */
  add(activity: NewActivity): Promise<boolean> {
    return this.additions.add(activity);
  }

  /** Due activities, the oldest of each host, in the order of their arrival. */
  due(limit: number): Promise<QueuedActivity[]> {
    return this.db.rows(due, [limit]);
  }

  /** Removes activities that have no effect. */
  async drop(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.db.run(done, [ids]);
  }

  /** Removes activities in the unit of work that stores their effects. Throws {@link ActivityTaken}. */
  async done(ids: readonly string[]): Promise<void> {
    if (ids.length > 0 && (await this.db.run(done, [ids])) < ids.length) throw new ActivityTaken();
  }

  /** Tries an activity again after some seconds. */
  async retry(id: string, afterSeconds: number, error: string): Promise<void> {
    await this.db.run(retry, [id, afterSeconds, error.slice(0, 500)]);
  }

  async depth(): Promise<InboxDepth> {
    return (await this.db.first(depth, [])) ?? { waiting: 0, oldest: 0 };
  }

  private async addAll(activities: readonly NewActivity[]): Promise<boolean[]> {
    const digests = activities.map(({ activityId }) => hash('sha256', activityId));
    const firsts = activities.filter((_, at) => digests.indexOf(digests[at] ?? '') === at);
    const rows = await this.db.rows(add, [
      unique(digests),
      firsts.map(({ host }) => host),
      firsts.map(({ actorId }) => actorId),
      firsts.map(({ inboxOf }) => inboxOf),
      firsts.map(({ body }) => body),
    ]);
    const added = new Set(rows.map(({ digest }) => digest));
    return digests.map((digest) => added.delete(digest));
  }

  /** Forgets the ids of activities that were received long ago. */
  async purgeSeen(days: number): Promise<void> {
    const old = { table: 'seen_activities', where: `received_at < now() - $1 * interval '1 day'`, by: 'received_at' };
    await purge(this.db, old, [days]);
  }
}
