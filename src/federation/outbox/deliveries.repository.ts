import { Injectable } from '@nestjs/common';
import { groupBy } from '../../common/index.js';
import { Batches, type Cause, Database, sql } from '../../platform/index.js';

import type { SignatureScheme } from './outbox.entities.js';

/** A delivery that is due, with what its host is known for. */
export interface DueDelivery extends Cause {
  readonly id: string;
  readonly inbox: string;
  readonly attempts: number;
  /** Whether it has been tried for so long that this is the last time. */
  readonly isLast: boolean;
  /** Whether others about the same thing wait for it. */
  readonly isFollowed: boolean;
  readonly accountId: string | null;
  /** The actor that is no account; null for an account. */
  readonly serviceActor: string | null;
  readonly type: string;
  readonly body: string;
  readonly signature: SignatureScheme | null;
  /** Whether the host works, was reached lately, and has not failed since. */
  readonly isReached: boolean;
  /** Whether the host was not reached the last time. */
  readonly isFailing: boolean;
}

/** A host with deliveries that may be due, and whether it works. */
export interface WaitingHost {
  readonly host: string;
  readonly proven: boolean;
}

/** Deliveries to one host that are read at once. */
export const AT_ONCE = 20;

/** Deliveries are tried for so long. */
const TRIED_FOR = `interval '2 days'`;

/** SQL: whether a host `h` may be tried now; hosts without a row were never tried. */
const MAY_BE_TRIED = `(h.state is null or h.state = 'ok' or h.state = 'failing' and h.probe_at <= now())`;

// Only the first of several activities about the same thing is due. Index: deliveries_due, deliveries_order, activities_pkey.
const due = sql<DueDelivery & { host: string }>(
  'deliveries.due',
  `select wanted.host, due.* from unnest($1::text[]) as wanted(host) cross join lateral (
   select d.id, d.inbox, d.attempts, d.created_at < now() - ${TRIED_FOR} as "isLast",
     exists (select from deliveries l where l.host = d.host and l.object = d.object and l.id > d.id) as "isFollowed",
     a.account_id as "accountId", case when a.account_id is null then a.body->>'actor' end as "serviceActor", a.type,
       a.body::text as body, d.request_id as "requestId", d.traceparent,
     h.signature,
     coalesce(h.state = 'ok' and h.unreachable_since is null and h.reached_at > now() - interval '1 hour', false) as "isReached",
     coalesce(h.state = 'failing', false) as "isFailing"
   from deliveries d join activities a on a.id = d.activity_id left join hosts h on h.host = d.host
   where d.host = wanted.host and d.next_at <= now() and ${MAY_BE_TRIED}
     and not exists (select from deliveries e where e.host = d.host and e.object = d.object and e.id < d.id)
   order by d.next_at, d.id limit $2) due`,
);

const remove = sql('deliveries.remove', `delete from deliveries where id = any($1::bigint[])`);

const postpone = sql(
  'deliveries.postpone',
  `update deliveries set attempts = attempts + 1, next_at = now() + $2 * interval '1 second' where id = $1`,
);

// A host that works again gets at once what waited for it. Index: deliveries_due.
const release = sql(
  'deliveries.release',
  `update deliveries set next_at = now() where id in (
     select id from deliveries where host = $1 and next_at > now() order by next_at, id limit $2)`,
);

// Index: deliveries_pkey.
const renew = sql<{ id: string }>(
  'deliveries.renew',
  `with renewed as (
     update deliveries set created_at = now()
     where id in (select id from deliveries where id > $1 order by id limit $2) returning id)
   select id from renewed order by id desc limit 1`,
);

// Drops all for a host that was given up. Index: deliveries_due, hosts_pkey.
const dropOf = sql(
  'deliveries.drop_of_host',
  `delete from deliveries where id in (
     select id from deliveries where host = $1
       and (created_at < now() - ${TRIED_FOR} or coalesce((select state = 'dead' from hosts where host = $1), false))
     order by next_at, id limit $2)`,
);

const dropInbox = sql('deliveries.drop_of_inbox', `delete from deliveries where host = $1 and inbox = $2`);

/** SQL: the hosts of all deliveries, and null. Steps from host to host, so that it reads one row of each. Index: deliveries_due. */
const HOSTS_WITH_ROWS = `with recursive hosts_with_rows(host) as (
     (select host from deliveries order by host limit 1)
     union all
     select (select d.host from deliveries d where d.host > w.host order by d.host limit 1)
     from hosts_with_rows w where w.host is not null
   )`;

const waiting = sql<WaitingHost>(
  'deliveries.waiting_hosts',
  `${HOSTS_WITH_ROWS}
   select w.host, coalesce(h.state = 'ok' and h.reached_at is not null, false) as proven
   from hosts_with_rows w left join hosts h on h.host = w.host
   where w.host is not null and ${MAY_BE_TRIED}
     and (select min(d.next_at) from deliveries d where d.host = w.host) <= now()`,
);

// Reads the last row of each host. Index: deliveries_due.
const delayed = sql<{ host: string }>(
  'deliveries.delayed_hosts',
  `${HOSTS_WITH_ROWS}
   select host from hosts_with_rows w
   where (select max(d.next_at) from deliveries d where d.host = w.host) > now() + $1 * interval '1 second'`,
);

const counts = sql<{ due: number; waiting: number }>(
  'deliveries.counts',
  `select (count(*) filter (where next_at <= now()))::int as due,
     (count(*) filter (where next_at > now()))::int as waiting from deliveries`,
);

/** All SQL on deliveries, but for their writing. */
@Injectable()
export class DeliveriesRepository {
  private readonly dueHosts = new Batches<string, readonly DueDelivery[]>(async (hosts) => {
    const rows = await this.db.rows(due, [hosts, AT_ONCE]);
    const byHost = groupBy(rows, ({ host }) => host);
    return hosts.map((host) => byHost.get(host) ?? []);
  });
  private readonly removals = new Batches<string, undefined>(async (ids) => {
    await this.db.run(remove, [ids]);
    return [];
  });

  constructor(private readonly db: Database) {}

  /** The next deliveries to a host, at most {@link AT_ONCE}; none while it is not to be tried. Outside a unit of work. */
  due(host: string): Promise<readonly DueDelivery[]> {
    return this.dueHosts.add(host);
  }

  /** Removes a delivery that is done, or never will be. Outside a unit of work. */
  async remove(id: string): Promise<void> {
    await this.removals.add(id);
  }

  async postpone(id: string, seconds: number): Promise<void> {
    await this.db.run(postpone, [id, seconds]);
  }

  /** Makes deliveries due that are due later, at most `limit`; returns how many. */
  release(host: string, limit: number): Promise<number> {
    return this.db.run(release, [host, limit]);
  }

  /**
   * Drops what waits for a host, at most `limit`: everything if it was given up, else what has waited for too long. Returns
   * how many.
   */
  drop(host: string, limit: number): Promise<number> {
    return this.db.run(dropOf, [host, limit]);
  }

  /** Lets the time begin anew for which deliveries are tried, for at most `limit` after an id; returns the last one's id. */
  async renew(after: string, limit: number): Promise<string | undefined> {
    return (await this.db.first(renew, [after, limit]))?.id;
  }

  /** Drops what waits for an inbox. */
  async dropInbox(host: string, inbox: string): Promise<void> {
    await this.db.run(dropInbox, [host, inbox]);
  }

  /** The hosts with deliveries that may be due now, and whether each works. */
  waitingHosts(): Promise<WaitingHost[]> {
    return this.db.rows(waiting, []);
  }

  /** The hosts with deliveries that are due later than in so many seconds. */
  async delayedHosts(seconds: number): Promise<string[]> {
    return (await this.db.rows(delayed, [seconds])).map(({ host }) => host);
  }

  /** The numbers of deliveries that are due, and that wait. */
  async counts(): Promise<{ due: number; waiting: number }> {
    const found = await this.db.first(counts);
    return found ?? { due: 0, waiting: 0 };
  }
}
