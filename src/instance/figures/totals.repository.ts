import { Injectable } from '@nestjs/common';
import { Database, sql, UnitOfWork } from '../../platform/index.js';
import { InstanceTotals } from './instance-totals.entity.js';

/** Totals of the server. */
export interface Totals {
  /** Active local accounts. */
  readonly users: number;
  /** Posts of these accounts. */
  readonly statuses: number;
  /** Known other servers. */
  readonly domains: number;
  /** Users seen within 30 days. */
  readonly activeMonth: number;
  /** Users seen within 180 days. */
  readonly activeHalfyear: number;
}

/** Finds each domain by one index probe (accounts_hosts): reads one row per domain, not per account. */
const domains = `
  domains (domain) as (
    (select domain from accounts where domain is not null order by domain limit 1)
    union all
    select (select domain from accounts where domain > domains.domain order by domain limit 1)
    from domains where domains.domain is not null
  )`;

const refresh = sql(
  'instance_totals.refresh',
  `with recursive ${domains},
  people as (
    select count(*) as users,
           coalesce(sum(account_stats.statuses_count), 0) as statuses,
           count(*) filter (where users.last_active_at > now() - interval '30 days') as active_month,
           count(*) filter (where users.last_active_at > now() - interval '180 days') as active_halfyear
    from users
    join accounts on accounts.id = users.account_id
    join account_stats on account_stats.account_id = users.account_id
    where accounts.deactivated_at is null and users.is_confirmed and users.is_approved
  )
  update instance_totals set
    users = people.users,
    statuses = people.statuses,
    domains = (select count(*) from domains where domain is not null),
    active_month = people.active_month,
    active_halfyear = people.active_halfyear,
    refreshed_at = now()
  from people`,
);

/** A large server counts seldom, since that reads every user. */
const due = sql<{ isDue: boolean }>(
  'instance_totals.due',
  `select users <= $1 or refreshed_at < now() - interval '9 minutes 30 seconds' as "isDue" from instance_totals`,
);
const FEW_USERS = 5_000;

const SHOWN = { users: true, statuses: true, domains: true, activeMonth: true, activeHalfyear: true } as const;

const listDomains = sql<{ domain: string }>(
  'instance_totals.domains',
  `with recursive ${domains} select domain from domains where domain is not null`,
);

/** All SQL on `instance_totals`. */
@Injectable()
export class TotalsRepository {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  async current(): Promise<Totals> {
    const [totals] = await this.uow.manager.find(InstanceTotals, { select: SHOWN, take: 1 });
    return totals ?? { users: 0, statuses: 0, domains: 0, activeMonth: 0, activeHalfyear: 0 };
  }

  /** Whether the totals are too old: at once with few users, else after ten minutes. */
  async isDue(): Promise<boolean> {
    const [row] = await this.db.rows(due, [FEW_USERS]);
    return row?.isDue ?? true;
  }

  /** Counts all totals again. */
  async refresh(): Promise<void> {
    await this.db.run(refresh);
  }

  /** The domains of all known servers, in alphabetical order. */
  async domains(): Promise<string[]> {
    const rows = await this.db.rows(listDomains);
    return rows.map(({ domain }) => domain);
  }
}
