import { Injectable } from '@nestjs/common';
import { Batches } from '../database/batches.js';
import { Database } from '../database/database.js';
import { purge } from '../database/purge.js';
import { sql } from '../database/sql.js';
import { type Cause, currentCause } from '../tracing/work.js';
import { type QueueName, queueNames } from './job.js';

export interface NewJob {
  readonly name: string;
  readonly queue: QueueName;
  readonly payload: object;
  readonly key: string | null;
  readonly runAt: Date | null;
  /** Whether a waiting job of the key gets this payload. */
  readonly replaces?: boolean;
  /** The work that enqueued it; left out: the work that writes it. */
  readonly cause?: Cause;
}

/** Jobs that were written: those that this process has claimed with it, and others that are due. */
export interface WrittenJobs {
  readonly claimed: readonly ClaimedJob[];
  readonly due: readonly Pick<ClaimedJob, 'queue'>[];
}

export interface ClaimedJob extends Cause {
  readonly id: string;
  readonly name: string;
  readonly queue: QueueName;
  readonly payload: object;
  readonly attempts: number;
  /** The job may be enqueued again until its row is gone. */
  readonly keyed: boolean;
}

/** The free room of a queue. */
export interface Room {
  readonly queue: QueueName;
  readonly free: number;
}

/** How long jobs of a kind wait at most. */
export interface KindDelay {
  readonly name: string;
  readonly longestDelayMs: number;
  /** Whether the delay is only that before another try: a person chooses when the first one is. */
  readonly isTimed: boolean;
}

/** Distinguishes a claim from a later one of the same row by another worker. */
export type Claim = Pick<ClaimedJob, 'id' | 'attempts'>;

export interface FailedJob {
  readonly id: string;
  readonly name: string;
  readonly attempts: number;
  readonly parkedAt: string;
  readonly lastError: string | null;
  /** The request that it follows from. */
  readonly requestId: string | null;
}

/** The counts of a queue. */
export interface QueueCount {
  readonly queue: string;
  readonly due: number;
  /** Due later, or running. */
  readonly scheduled: number;
  readonly failed: number;
}

/** The counts of the jobs of a name. */
export interface JobCount {
  readonly name: string;
  readonly queue: string;
  readonly due: number;
  /** With a lease; also those that were tried and are tried again before one would end. */
  readonly running: number;
  readonly later: number;
  readonly failed: number;
}

/** How long a claim holds; the worker's heartbeat renews it, so only a dead process lets one run out. */
export const LEASE_SECONDS = 30;

/**
 * Commits without waiting for the disk. After a crash of the database the last claims and ends are repeated, which is
 * always safe (docs/adr/0003).
 */
const UNHURRIED = `set_config('synchronous_commit', 'off', true) = 'off'`;

/** A row that is still held by this claim. */
const HELD = 'jobs.id = held.id and jobs.attempts = held.attempts and parked_at is null';

/** The columns of a job that its handler needs. */
const CLAIMED = `jobs.id, name, queue, payload, attempts, key is not null as keyed, request_id as "requestId", traceparent`;
const LEASE_END = `now() + interval '${LEASE_SECONDS} seconds'`;

const insert = sql<ClaimedJob & { due: boolean }>(
  'jobs.insert',
  `insert into jobs (name, queue, payload, key, run_at, attempts, request_id, traceparent)
   select name, queue, payload::jsonb, key, case when claimed then ${LEASE_END} else coalesce(run_at, now()) end, claimed::int,
     request_id, traceparent
   from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::bool[], $7::text[], $8::text[])
     as new(name, queue, payload, key, run_at, claimed, request_id, traceparent)
   on conflict (key) where key is not null and parked_at is null do update set again = true, queue = excluded.queue,
     payload = case when excluded.key = any($9::text[]) then excluded.payload else jobs.payload end,
     request_id = excluded.request_id, traceparent = excluded.traceparent
   returning ${CLAIMED}, run_at <= now() as due`,
);

// A clock that was ahead leaves times far away. Index: jobs_due; the first bound is there for it.
const hasten = sql(
  'jobs.hasten',
  `update jobs set run_at = now() from unnest($2::text[], $3::bigint[], $4::bool[]) as kind(name, longest_delay_ms, is_timed)
   where queue = any($1::text[]) and parked_at is null and run_at > ${LEASE_END} and jobs.name = kind.name
     and run_at > ${LEASE_END} + kind.longest_delay_ms * interval '1 millisecond' and (attempts > 0 or not kind.is_timed)`,
);

// Index: jobs_due. The order within a queue is by time due; a locked row belongs to another worker. Due rows are found once: a
// plan that looked again for each of them would take more than there is room for. What ended without a key is asked for by
// nobody else: it goes without a statement of its own.
const claim = sql<ClaimedJob>(
  'jobs.claim',
  `with due as materialized (
     select found.id from unnest($1::text[], $2::int[]) as room(queue, free)
     cross join lateral (
       select id from jobs
       where jobs.queue = room.queue and parked_at is null and run_at <= now()
       order by run_at, id limit room.free for update skip locked
     ) found
     where ${UNHURRIED}
   ), gone as (
     delete from jobs using unnest($3::bigint[], $4::int[]) as held(id, attempts) where ${HELD} and ${UNHURRIED}
   )
   update jobs set run_at = ${LEASE_END}, attempts = attempts + 1
   from due where jobs.id = due.id
   returning ${CLAIMED}`,
);

// A worker that lost its lease changes the row no longer: the next claim counts one try more.
const renew = sql(
  'jobs.renew',
  `update jobs set run_at = ${LEASE_END}
   from unnest($1::bigint[], $2::int[]) as held(id, attempts) where ${HELD}`,
);

const cancel = sql('jobs.cancel', `delete from jobs where key = any($1::text[]) and parked_at is null`);

const handBack = sql(
  'jobs.hand_back',
  `update jobs set run_at = now(), attempts = jobs.attempts - 1
   from unnest($1::bigint[], $2::int[]) as held(id, attempts) where ${HELD}`,
);

/** Ends jobs; returns the ids of those that it ended. Locks the rows before reading them: a job may be enqueued again at this moment. */
const ending = (lock: string) =>
  `with finished as materialized (
     select jobs.id, again from jobs join unnest($1::bigint[], $2::int[]) as held(id, attempts)
     on jobs.id = held.id and jobs.attempts = held.attempts ${lock}),
   gone as (delete from jobs using finished where jobs.id = finished.id and not finished.again and ${UNHURRIED}),
   renewed as (update jobs set again = false, attempts = 0, run_at = now()
     from finished where jobs.id = finished.id and finished.again)
   select id from finished`;

// In the unit of work of what the job has done, so durable; a worker that lost its lease ends nothing.
const end = sql('jobs.end', `delete from jobs where id = $1 and attempts = $2 and key is null and parked_at is null`);

// Several jobs wait for nobody: a renewal locks the same rows in its own order, and a unit that enqueues one of them may last.
const finish = sql<{ id: string }>('jobs.finish', ending('for update of jobs skip locked'));
const finishOne = sql<{ id: string }>('jobs.finish_one', ending('for update of jobs'));

const isHeld = sql('jobs.is_held', `select from jobs where id = $1 and attempts = $2 and parked_at is null`);

const reschedule = sql(
  'jobs.reschedule',
  `update jobs set run_at = now() + $3 * interval '1 millisecond', last_error = $4, attempts = $5
   where id = $1 and attempts = $2`,
);

// What was enqueued again during the last try runs once more, as it does after a try that succeeds.
const markFailed = sql(
  'jobs.mark_failed',
  `update jobs set last_error = $3, again = false, parked_at = case when not again then now() end,
     attempts = case when again then 0 else attempts end, run_at = case when again then now() else run_at end
   where id = $1 and attempts = $2`,
);

const listFailed = sql<FailedJob>(
  'jobs.failed',
  `select id, name, attempts, parked_at as "parkedAt", last_error as "lastError", request_id as "requestId" from jobs
   where parked_at is not null order by parked_at limit $1`,
);

const lastError = sql<{ lastError: string | null }>(
  'jobs.last_error',
  `select last_error as "lastError" from jobs where key = $1 and parked_at is null`,
);

const counts = sql<QueueCount>(
  'jobs.counts',
  `select queue,
     (count(*) filter (where parked_at is null and run_at <= now()))::int as due,
     (count(*) filter (where parked_at is null and run_at > now()))::int as scheduled,
     count(parked_at)::int as failed
   from jobs group by queue order by queue`,
);

const countsByName = sql<JobCount>(
  'jobs.counts_by_name',
  `select name, queue,
     (count(*) filter (where run_at <= now()))::int as due,
     (count(*) filter (where run_at > now() and attempts > 0 and run_at <= ${LEASE_END}))::int as running,
     (count(*) filter (where run_at > now() and not (attempts > 0 and run_at <= ${LEASE_END})))::int as later,
     count(parked_at)::int as failed
   from (select name, queue, attempts, parked_at, case when parked_at is null then run_at end as run_at from jobs) job
   group by name, queue order by count(parked_at) > 0 desc, count(*) filter (where run_at <= now()) > 0 desc, name, queue`,
);

/** A job that failed and whose key was not enqueued since. */
const MAY_RUN_AGAIN = `parked_at is not null and not exists (
     select from jobs other where other.key = jobs.key and (other.parked_at is null or other.id > jobs.id))`;

const retryOne = sql<{ name: string }>(
  'jobs.retry_one',
  `update jobs set parked_at = null, attempts = 0, run_at = now() where id = $1 and ${MAY_RUN_AGAIN} returning name`,
);

const drop = sql<{ name: string }>(
  'jobs.drop',
  `delete from jobs where id = $1 and parked_at is not null returning name`,
);

const retryFailed = sql(
  'jobs.retry_failed',
  `update jobs set parked_at = null, attempts = 0, run_at = now()
   where ${MAY_RUN_AGAIN}`,
);

/** All SQL on the `jobs` table. */
@Injectable()
export class JobRepository {
  private readonly ends = new Batches<Claim, boolean>(async (claims) => {
    const ended = new Set((await this.db.rows(finish, columns(claims))).map(({ id }) => id));
    return claims.map(({ id }) => ended.has(id));
  });

  constructor(private readonly db: Database) {}

  /**
   * Writes jobs with one statement, each with the work that enqueued it as its cause. A waiting key is not written twice but
   * runs once more.
   * @param claims whether to claim a job, which has no key and no time
   */
  async insert(unsorted: readonly NewJob[], claims: (job: NewJob) => boolean = () => false): Promise<WrittenJobs> {
    const jobs = unsorted.toSorted((a, b) => compareKeys(a.key ?? '', b.key ?? ''));
    const current = currentCause();
    const rows = await this.db.rows(insert, [
      jobs.map((job) => job.name),
      jobs.map((job) => job.queue),
      jobs.map((job) => JSON.stringify(job.payload)),
      jobs.map((job) => job.key),
      jobs.map((job) => job.runAt),
      jobs.map(claims),
      jobs.map(({ cause = current }) => cause.requestId),
      jobs.map(({ cause = current }) => cause.traceparent),
      jobs.flatMap(({ key, replaces = false }) => (replaces ? [key] : [])),
    ]);
    return {
      claimed: rows.filter(({ keyed, attempts }) => !keyed && attempts > 0),
      due: rows.filter(({ due }) => due),
    };
  }

  /** Makes jobs due whose time is further away than the longest delay of their kind. */
  async hasten(kinds: readonly KindDelay[]): Promise<void> {
    const delays = kinds.map(({ longestDelayMs }) => longestDelayMs);
    await this.db.run(hasten, [
      queueNames(),
      kinds.map(({ name }) => name),
      delays,
      kinds.map(({ isTimed }) => isTimed),
    ]);
  }

  /** Removes the jobs of some keys. Running ones still end. Index: jobs_key. */
  async cancel(keys: readonly string[]): Promise<void> {
    await this.db.run(cancel, [keys]);
  }

  /**
   * Takes due jobs for the lease time, at most `free` of each queue, and removes those that are done, which have no key.
   */
  claim(room: readonly Room[], done: readonly Claim[] = []): Promise<ClaimedJob[]> {
    const queues = [room.map(({ queue }) => queue), room.map(({ free }) => free)];
    return this.db.rows(claim, [...queues, ...columns(done)]);
  }

  async renew(claims: readonly Claim[]): Promise<void> {
    await this.db.run(renew, columns(claims));
  }

  /** Gives up claims of unfinished jobs: they are due at once, and the try does not count. */
  async handBack(claims: readonly Claim[]): Promise<void> {
    await this.db.run(handBack, columns(claims));
  }

  /** Removes a job that is done, or makes it due again when it was enqueued meanwhile. Outside a unit of work. */
  async finish(claim: Claim): Promise<void> {
    if (!(await this.ends.add(claim))) await this.db.rows(finishOne, columns([claim]));
  }

  /**
   * Removes a job without a key in the unit of work of what it has done.
   * @throws when another worker has claimed it since
   */
  async end({ id, attempts }: Claim): Promise<void> {
    if ((await this.db.run(end, [id, attempts])) !== 1) throw new Error('The job is not held any more');
  }

  /** Whether a claimed job is neither cancelled nor claimed by another worker. Index: jobs_pkey. */
  async isHeld({ id, attempts }: Claim): Promise<boolean> {
    return (await this.db.run(isHeld, [id, attempts])) === 1;
  }

  async reschedule(claim: Claim, afterMs: number, reason: string | null, attempts: number): Promise<void> {
    await this.db.run(reschedule, [claim.id, claim.attempts, afterMs, reason, attempts]);
  }

  /**
   * Marks a job as failed for good: it runs no more, and stays visible to the operator. One that was enqueued meanwhile is
   * due again.
   */
  async markFailed({ id, attempts }: Claim, reason: string): Promise<void> {
    await this.db.run(markFailed, [id, attempts, reason]);
  }

  /** The failed jobs, oldest first, for `ctl jobs`. */
  listFailed(limit: number): Promise<FailedJob[]> {
    return this.db.rows(listFailed, [limit]);
  }

  /** The error of the last try of the job with a key; undefined when it was done. */
  async lastErrorOf(key: string): Promise<string | undefined> {
    return (await this.db.first(lastError, [key]))?.lastError ?? undefined;
  }

  /** The counts of each queue with jobs; reads all rows. */
  counts(): Promise<QueueCount[]> {
    return this.db.rows(counts);
  }

  /** The counts of the jobs of each name, those with failed and due ones first; reads all rows. */
  countsByName(): Promise<JobCount[]> {
    return this.db.rows(countsByName);
  }

  /** Makes a failed job due again, unless its key was enqueued since; returns its name. Index: jobs_pkey, jobs_key. */
  async retryOne(id: string): Promise<string | undefined> {
    return (await this.db.first(retryOne, [id]))?.name;
  }

  /** Removes a failed job; returns its name. Index: jobs_pkey. */
  async drop(id: string): Promise<string | undefined> {
    return (await this.db.first(drop, [id]))?.name;
  }

  /** Makes failed jobs due again, only the last one per key and none whose key was enqueued since; returns the number. */
  retryFailed(): Promise<number> {
    return this.db.run(retryFailed);
  }

  /** Removes jobs of other names that failed more than `days` ago; returns the number. Index: jobs_parked. */
  purgeFailed(days: number, except: readonly string[]): Promise<number> {
    const where = `parked_at < now() - $1 * interval '1 day' and name <> all($2::text[])`;
    return purge(this.db, { table: 'jobs', where, by: 'parked_at' }, [days, except]);
  }
}

/** The one order in which keys are written: two units may enqueue the same. */
const compareKeys = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

function columns(claims: readonly Claim[]): unknown[] {
  return [claims.map(({ id }) => id), claims.map(({ attempts }) => attempts)];
}
