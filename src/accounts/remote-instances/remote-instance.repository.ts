import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/index.js';

/** A server that is due. */
export interface DueHost {
  readonly domain: string;
  readonly faviconUrl: string | null;
  /** The id of one of its actors. */
  readonly apId: string;
}

/** The result of asking a server. While `answered` is false its favicon stays. */
export interface AskedHost {
  readonly domain: string;
  readonly faviconUrl: string | null;
  readonly answered: boolean;
}

// Index: accounts_hosts, once per domain.
const followAccounts = sql(
  'remote_instances.follow_accounts',
  `with recursive known(domain) as (
     (select domain from accounts where domain is not null order by domain limit 1)
     union all
     select (select a.domain from accounts a where a.domain > known.domain order by a.domain limit 1)
     from known where known.domain is not null)
   insert into remote_instances (domain) select domain from known where domain is not null on conflict do nothing`,
);

// Index: accounts_hosts, once per row.
const forget = sql(
  'remote_instances.forget',
  `delete from remote_instances h where not exists (select from accounts a where a.domain = h.domain)`,
);

// Index: remote_instances_due, then accounts_hosts for each row.
const due = sql<DueHost>(
  'remote_instances.due',
  `select h.domain, h.favicon_url as "faviconUrl", a.ap_id as "apId" from remote_instances h
   cross join lateral (select ap_id from accounts where domain = h.domain limit 1) a
   where h.due_at <= now() order by h.due_at limit $1`,
);

const save = sql(
  'remote_instances.save',
  `update remote_instances h set
     favicon_url = case when asked.answered then asked.favicon_url else h.favicon_url end,
     answered_at = case when asked.answered then now() else h.answered_at end,
     due_at = now() + case when asked.answered then $4 * interval '1 day'
       else least(greatest(now() - h.answered_at, interval '1 day'), interval '30 days') end
   from unnest($1::text[], $2::text[], $3::boolean[]) as asked(domain, favicon_url, answered)
   where h.domain = asked.domain`,
);

/** All writes of `remote_instances`; their statements also read accounts. */
@Injectable()
export class RemoteInstanceRepository {
  constructor(private readonly db: Database) {}

  /** Adds the domains of new accounts, and removes domains without accounts. */
  async followAccounts(): Promise<void> {
    await this.db.run(followAccounts, []);
    await this.db.run(forget, []);
  }

  /** Servers that are due, the longest due first. */
  due(limit: number): Promise<DueHost[]> {
    return this.db.rows(due, [limit]);
  }

  /**
   * Stores the results. A server that answered is asked again after `days`; a silent one after the length of its
   * silence, between a day and a month.
   */
  async save(hosts: readonly AskedHost[], days: number): Promise<void> {
    await this.db.run(save, [
      hosts.map(({ domain }) => domain),
      hosts.map(({ faviconUrl }) => faviconUrl),
      hosts.map(({ answered }) => answered),
      days,
    ]);
  }
}
