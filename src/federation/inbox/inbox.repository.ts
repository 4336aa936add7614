import { Injectable } from '@nestjs/common';
import { Batches, type Cause, columns, currentCause, Database, someRow, sql } from '../../platform/index.js';
import { QueuedActivityRow } from './inbox.entities.js';

/** A verified activity. */
export interface NewActivity {
  /** Under which it is remembered once it had its effect ({@link ownDigest}); null when it is not. */
  readonly digest: string | null;
  readonly host: string;
  /** The account whose key signed it. */
  readonly actorId: string;
  /** The account whose own inbox received it; null for the shared inbox. */
  readonly inboxOf: string | null;
  /** JSON. */
  readonly body: string;
}

export interface QueuedActivity extends Cause {
  readonly id: string;
  readonly host: string;
  readonly actorId: string;
  readonly inboxOf: string | null;
  readonly body: string;
  /** Earlier ones. */
  readonly attempts: number;
}

export interface DueActivity extends QueuedActivity {
  /** Whether activities of its host wait for answers of other servers. */
  readonly othersAsk: boolean;
}

/** What an activity is about: later ones of its actor about the same wait for it, while it waits for other servers. */
export interface Subject {
  readonly actorId: string;
  /** A hash. */
  readonly about: number;
}

/** How full the queue is. */
export interface InboxDepth {
  readonly waiting: number;
  /** Seconds since the oldest waiting activity was received. */
  readonly oldest: number;
}

/** Activities of one host in a batch, while other hosts wait too. */
const OF_ONE_HOST = 25;
/** A batch ends with the activity that reaches so many bytes: all of it is in memory at once. */
const BATCH_BYTES = 8_000_000;

/** Another process drains the inbox at the same time: it has stored an activity that this one was about to store. */
export class ActivityClaimed extends Error {
  constructor() {
    super('Another process has stored the activity');
  }
}

// Several activities at once, in the order of their arrival.
const add = sql<{ at: number }>(
  'inbox.add',
  `with given as materialized (
     select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
       with ordinality as given (hex, host, actor_id, inbox_of, body, request_id, traceparent, at)
     where hex is null or not ${someRow(`seen_activities s where s.digest = decode(hex, 'hex')`)}),
   queued as (
     insert into inbox_queue (host, actor_id, inbox_of, body, request_id, traceparent)
     select host, actor_id, inbox_of, body, request_id, traceparent from given order by at)
   select at::int as at from given`,
);

// The hosts that are due are found one by one, so that a flood of one host does not hide the others. Locks nothing: one
// job drains at a time, and whoever removes an activity has stored its effect. Index: inbox_queue_ready.
const due = sql<DueActivity>(
  'inbox.due',
  `with recursive hosts(host) as (
     (select host from inbox_queue where not asks order by host limit 1)
     union all
     select (select q.host from inbox_queue q where q.host > hosts.host and not q.asks order by q.host limit 1) from hosts
     where hosts.host is not null),
   due as materialized (
     select found.id from (select host from hosts where host is not null limit 200) h
     cross join lateral (
       select id from inbox_queue q where q.host = h.host and q.run_at <= now() and not q.asks
       order by q.run_at, q.id limit least($1::int, ${OF_ONE_HOST})) found
     limit $1::int),
   batch as (
     select q.*, sum(octet_length(q.body)) over (order by q.id) - octet_length(q.body) as before
     from inbox_queue q join due on q.id = due.id)
   select q.id::text as id, q.host, q.actor_id as "actorId", q.inbox_of as "inboxOf", q.body, q.attempts,
     q.request_id as "requestId", q.traceparent,
     ${someRow('inbox_queue e where e.host = q.host and e.asks')} as "othersAsk"
   from batch q where before < ${BATCH_BYTES} order by q.id`,
);

/** An activity that would wait for longer than this in all is not tried sooner for the sake of later ones. */
const SOONER_DAYS = 2;

// The second ids stand beside what each is about: several hashes, or none for a Delete. The earlier activity that they wait for
// is tried at once, also if it failed and waits, or they would wait for hours; that try replaces its last one, so that its tries
// are not used up by them. Indexes: inbox_asking_pkey, inbox_queue_pkey.
const ask = sql<{ host: string }>(
  'inbox.ask',
  `with moved as (
     update inbox_queue set asks = true where id = any($1::bigint[]) returning id, host, actor_id),
   subjects as (
     select distinct actor_id, about, id from moved join unnest($2::bigint[], $3::int[]) as given (id, about) using (id)),
   noted as (
     insert into inbox_asking (actor_id, about, activity_id) select actor_id, about, id from subjects on conflict do nothing),
   awaited as (
     select distinct (select min(a.activity_id) from inbox_asking a where a.actor_id = s.actor_id and a.about = s.about) as id
     from subjects s),
   sooner as (
     update inbox_queue q set run_at = now(), attempts = q.attempts - 1, last_error = null from awaited
     where q.id = awaited.id and q.last_error is not null and q.received_at > now() - interval '${SOONER_DAYS} days')
   select distinct host from moved`,
);

// A server may let tens of thousands wait: each batch asks for what it holds itself. Index: inbox_asking_pkey.
const asking = sql<Subject>(
  'inbox.asking',
  `select actor_id as "actorId", about from unnest($1::text[], $2::int[]) as given (actor_id, about)
   where ${someRow('inbox_asking a where a.actor_id = given.actor_id and a.about = given.about')}`,
);

const EARLIER = `inbox_asking own join inbox_asking e on e.actor_id = own.actor_id and e.about = own.about
  and e.activity_id < own.activity_id where own.activity_id = q.id`;

// Counts the try before it begins: what ends the process, or never ends, is not tried for ever. It has no error while it is
// tried, so that a later one does not start it twice. One that is about the same as an earlier one of its actor waits for that.
// Indexes: inbox_queue_asking, inbox_asking_activity, inbox_asking_pkey.
const claim = sql<QueuedActivity>(
  'inbox.claim',
  `with next as (
     select id from inbox_queue q where host = $1 and asks and run_at <= now() and not ${someRow(EARLIER)}
     order by run_at, id limit 1 for update skip locked)
   update inbox_queue q set attempts = attempts + 1, last_error = null,
     run_at = now() + ($2::int[])[least(attempts + 1, cardinality($2::int[]))] * interval '1 second'
   from next where q.id = next.id
   returning q.id::text as id, ${columns(QueuedActivityRow, 'q', ['host', 'actorId', 'inboxOf', 'body', 'requestId', 'traceparent'])}, q.attempts - 1 as attempts`,
);

// Index: inbox_queue_asking.
const askingHosts = sql<{ host: string }>(
  'inbox.asking_hosts',
  `select distinct host from inbox_queue where asks and run_at <= now()`,
);

const done = sql('inbox.done', `delete from inbox_queue where id = any($1::bigint[])`);

const retry = sql(
  'inbox.retry',
  `update inbox_queue set attempts = $4::int + 1, run_at = now() + $2::int * interval '1 second', last_error = $3
   where id = $1::bigint`,
);

const hasten = sql(
  'inbox.hasten',
  `update inbox_queue set run_at = now() where run_at > now() + $1 * interval '1 second'`,
);

const depth = sql<InboxDepth>(
  'inbox.depth',
  `select count(*)::int as waiting, coalesce(extract(epoch from now() - min(received_at)), 0)::float8 as oldest
   from inbox_queue`,
);

/** All SQL on `inbox_queue` and `inbox_asking`. */
@Injectable()
export class InboxRepository {
  private readonly additions = new Batches<NewActivity & Cause, boolean>((activities) => this.addAll(activities));

  constructor(private readonly db: Database) {}

  /** Queues an activity, with the request that brings it; false when it had its effect before. Outside a unit of work. */
  add(activity: NewActivity): Promise<boolean> {
    return this.additions.add({ ...activity, ...currentCause() });
  }

  /** Due activities, the oldest of each host, in the order of their arrival. */
  due(limit: number): Promise<DueActivity[]> {
    return this.db.rows(due, [limit]);
  }

  /** Removes activities that have no effect. */
  async drop(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.db.run(done, [ids]);
  }

  /** Removes activities in the unit of work that stores their effects. Throws {@link ActivityClaimed}. */
  async done(ids: readonly string[]): Promise<void> {
    if (ids.length > 0 && (await this.db.run(done, [ids])) < ids.length) throw new ActivityClaimed();
  }

  /** Tries an activity again after some seconds. */
  async retry({ id, attempts }: QueuedActivity, afterSeconds: number, error: string): Promise<void> {
    await this.db.run(retry, [id, afterSeconds, error.slice(0, 500), attempts]);
  }

  /** Makes activities due that wait for longer than so many seconds. Reads all rows. */
  async hasten(seconds: number): Promise<void> {
    await this.db.run(hasten, [seconds]);
  }

  /** Lets activities wait apart until other servers were asked; returns their hosts. */
  async ask(activities: readonly { id: string; about: readonly number[] }[]): Promise<string[]> {
    const [ids, abouts] = [
      activities.flatMap(({ id, about }) => about.map(() => id)),
      activities.flatMap(({ about }) => about),
    ];
    const rows = await this.db.rows(ask, [activities.map(({ id }) => id), ids, abouts]);
    return rows.map(({ host }) => host);
  }

  /** Those that activities that wait apart are about. */
  asking(subjects: readonly Subject[]): Promise<Subject[]> {
    return this.db.rows(asking, [subjects.map(({ actorId }) => actorId), subjects.map(({ about }) => about)]);
  }

  /** Takes the next activity of a host for which others have to be asked; it is due again after the wait of this try. */
  claim(host: string, waitsSeconds: readonly number[]): Promise<QueuedActivity | undefined> {
    return this.db.first(claim, [host, waitsSeconds]);
  }

  /** The hosts with such activities that are due. */
  async askingHosts(): Promise<string[]> {
    return (await this.db.rows(askingHosts)).map(({ host }) => host);
  }

  async depth(): Promise<InboxDepth> {
    return (await this.db.first(depth, [])) ?? { waiting: 0, oldest: 0 };
  }

  private async addAll(activities: readonly (NewActivity & Cause)[]): Promise<boolean[]> {
    const rows = await this.db.rows(add, [
      activities.map(({ digest }) => digest),
      activities.map(({ host }) => host),
      activities.map(({ actorId }) => actorId),
      activities.map(({ inboxOf }) => inboxOf),
      activities.map(({ body }) => body),
      activities.map(({ requestId }) => requestId),
      activities.map(({ traceparent }) => traceparent),
    ]);
    const added = new Set(rows.map(({ at }) => at));
    return activities.map((_, at) => added.has(at + 1));
  }
}
