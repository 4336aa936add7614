import { Injectable } from '@nestjs/common';
import { IsNull, Not } from 'typeorm';
import { columns, Database, someRow, sql, UnitOfWork } from '../../platform/index.js';
import { type HostState, RemoteHost, type SignatureScheme } from './outbox.entities.js';

/** A host, for operators. */
export interface HostRow {
  readonly host: string;
  readonly state: HostState;
  readonly unreachableSince: string | null;
  readonly probeAt: string | null;
  readonly reachedAt: string | null;
  readonly lastError: string | null;
  readonly waiting: number;
}

/** The states of a host after an attempt and before it. */
export interface HostChange {
  readonly state: HostState;
  readonly was: HostState;
}

const FAILING: HostChange = { state: 'failing', was: 'failing' };

/** A host that cannot be reached for so long gets nothing more. */
const DEAD_AFTER = `interval '7 days'`;
/** Inboxes of one host that are remembered as gone. */
const MOST_GONE = 1_000;

// Written at most once an hour while nothing changes. Gone inboxes are asked again after that hour if the host took a delivery.
const reached = sql(
  'hosts.reached',
  `insert into hosts as h (host, reached_at, signature) values ($1, now(), $2)
   on conflict (host) do update set state = 'ok', unreachable_since = null, probe_at = null, last_error = null,
     reached_at = now(), signature = coalesce($2, h.signature),
     gone_inboxes = case when $2 is null or h.reached_at > now() - interval '1 hour' then h.gone_inboxes else '{}' end
   where h.state <> 'ok' or h.unreachable_since is not null or h.reached_at is null or h.reached_at < now() - interval '1 hour' or h.signature is distinct from coalesce($2, h.signature)`,
);

// Whether it takes deliveries is not known yet: one that was away gets one at first. All others are written at most once an hour.
// A host that lives may have answered 410 for a moment, so its gone inboxes are asked again: at most once an hour each.
const markReachable = sql<{ isAway: boolean }>(
  'hosts.mark_reachable',
  `insert into hosts as h (host, reached_at) values ($1, now())
   on conflict (host) do update set
     state = case when h.unreachable_since is null then h.state else 'ok' end,
     unreachable_since = case when h.state = 'dead' then now() else h.unreachable_since end,
     probe_at = case when h.unreachable_since is null then h.probe_at end,
     reached_at = case when h.unreachable_since is null then now() else h.reached_at end, gone_inboxes = '{}'
   where h.unreachable_since is not null or h.reached_at is null or h.reached_at < now() - interval '1 hour'
   returning unreachable_since is not null as "isAway"`,
);

/** The longest time until the next probe: that of {@link PAUSE}; no server may ask to wait for longer. */
const LONGEST_PAUSE = `interval '30 hours'`;
/** The time until the next probe: as long as the host has been away, between a minute and an hour; after a day, a day. */
const PAUSE = `(case when now() - coalesce(h.unreachable_since, now()) < interval '1 day'
     then greatest(interval '1 minute', least(now() - coalesce(h.unreachable_since, now()), interval '1 hour'))
     else interval '1 day' end * (0.75 + random() / 2))`;

// One delivery that fails may do so by itself: a host that works is failing when a second one fails, with none accepted between.
const unreachable = sql<HostChange>(
  'hosts.unreachable',
  `with before as (select state from hosts where host = $1)
   insert into hosts as h (host, state, unreachable_since, probe_at, last_error)
   values ($1, 'failing', now(), now() + interval '1 minute' * (0.75 + random() / 2), $2)
   on conflict (host) do update set unreachable_since = coalesce(h.unreachable_since, now()), last_error = $2,
     state = case when h.unreachable_since < now() - ${DEAD_AFTER} then 'dead'
       when h.state = 'ok' and h.reached_at is not null and (h.unreachable_since is null or not ${someRow(
         'deliveries d where d.host = $1 and d.id <> $3 and d.attempts > 0',
       )}) then 'ok' else 'failing' end,
     probe_at = now() + ${PAUSE}
   returning state, coalesce((select state from before), 'ok') as was`,
);

// A host that is away when it is asked again after a pause cannot be reached; one that gets too many requests lives.
const busy = sql<HostChange>(
  'hosts.busy',
  `with before as (select state from hosts where host = $1)
   insert into hosts as h (host, state, probe_at, last_error) values ($1, 'failing', now() + $3 * interval '1 second', $2)
   on conflict (host) do update set probe_at = now() + $3 * interval '1 second', last_error = $2,
     state = case when $4::boolean and h.unreachable_since < now() - ${DEAD_AFTER} then 'dead' else 'failing' end,
     unreachable_since = case when $4::boolean then coalesce(h.unreachable_since,
       case when h.state = 'failing' and h.probe_at <= now() then now() end) end
   returning state, coalesce((select state from before), 'ok') as was`,
);

const hasten = sql('hosts.hasten', `update hosts set probe_at = now() where probe_at > now() + ${LONGEST_PAUSE}`);

const gone = sql(
  'hosts.gone_inbox',
  `insert into hosts as h (host, gone_inboxes) values ($1, array[$2::text])
   on conflict (host) do update set gone_inboxes = (array_append(array_remove(h.gone_inboxes, $2), $2))[greatest(1, cardinality(h.gone_inboxes) + 2 - ${MOST_GONE}):]`,
);

const forgetGone = sql('hosts.forget_gone_inboxes', `update hosts set gone_inboxes = '{}' where host = $1`);

const list = sql<HostRow>(
  'hosts.list',
  `with waiting as (select host, count(*)::int as count from deliveries group by host)
   select host, coalesce(h.state, 'ok') as state,
     ${columns(RemoteHost, 'h', ['unreachableSince', 'probeAt', 'reachedAt', 'lastError'])},
     coalesce(w.count, 0) as waiting
   from hosts h full join waiting w using (host)
   where h.state <> 'ok' or w.count > 0
   order by coalesce(h.state, 'ok') = 'ok', h.unreachable_since, host limit $1`,
);

const countsByState = sql<{ state: HostState; count: number }>(
  'hosts.counts_by_state',
  `select state, count(*)::int as count from hosts group by state`,
);

/** All SQL on `hosts`. Index: hosts_pkey. */
@Injectable()
export class HostsRepository {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  /** The host works. */
  async reached(host: string, signature: SignatureScheme | null): Promise<void> {
    await this.db.run(reached, [host, signature]);
  }

  /** The host sent or answered something; returns whether it was away for deliveries, and may be tried again now. */
  async markReachable(host: string): Promise<boolean> {
    return (await this.db.first(markReachable, [host]))?.isAway ?? false;
  }

  /** The host could not be reached with a delivery; returns its states since and before. */
  async unreachable(host: string, error: string, deliveryId: string): Promise<HostChange> {
    return (await this.db.first(unreachable, [host, error, deliveryId])) ?? FAILING;
  }

  /** The host asks to wait; `isAway` when it is not there itself. Returns its states since and before. */
  async busy(host: string, error: string, seconds: number, isAway: boolean): Promise<HostChange> {
    return (await this.db.first(busy, [host, error, seconds, isAway])) ?? FAILING;
  }

  /** Lets hosts be probed now that wait for longer than the longest pause. Reads all rows. */
  async hasten(): Promise<void> {
    await this.db.run(hasten, []);
  }

  /** An inbox of the host is gone: it gets nothing until the host shows that it lives, after an hour. */
  async gone(host: string, inbox: string): Promise<void> {
    await this.db.run(gone, [host, inbox]);
  }

  /** The inboxes of the host get deliveries again. */
  async forgetGone(host: string): Promise<void> {
    await this.db.run(forgetGone, [host]);
  }

  /** Hosts with deliveries and hosts that are not reached, the worst first. */
  list(limit: number): Promise<HostRow[]> {
    return this.db.rows(list, [limit]);
  }

  /** Hosts that are not reached, the longest first. */
  unreachableHosts(limit: number): Promise<Pick<RemoteHost, 'host' | 'unreachableSince'>[]> {
    return this.uow.manager.find(RemoteHost, {
      select: { host: true, unreachableSince: true },
      where: { unreachableSince: Not(IsNull()) },
      order: { unreachableSince: 'ASC' },
      take: limit,
    });
  }

  /** The number of hosts by state. */
  countsByState(): Promise<{ state: HostState; count: number }[]> {
    return this.db.rows(countsByState);
  }
}
