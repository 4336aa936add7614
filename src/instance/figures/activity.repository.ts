import { Injectable } from '@nestjs/common';
import { LessThan, MoreThanOrEqual } from 'typeorm';
import { Database, sql, UnitOfWork } from '../../platform/index.js';
import { InstanceWeek } from './instance-week.entity.js';

/** The figures of one week. */
export interface WeekRow {
  /** Its Monday, `2024-05-06`. */
  readonly week: string;
  readonly statuses: number;
  readonly logins: number;
  readonly registrations: number;
}

/** A week to count: its Monday, and the smallest ids of its begin and its end. */
export interface WeekBounds {
  readonly week: string;
  readonly from: string;
  readonly to: string;
}

/**
 * An author of a post in a week was active since its begin, so only their posts are read (users_active, statuses_author).
 * Activity is stored hourly, hence the extra hour. Numbers never shrink: an account that returns later was active then too.
 */
const count = sql(
  'instance_weeks.count',
  `insert into instance_weeks (week, statuses, logins, registrations)
  select weeks.week,
    (select count(*) from users cross join lateral (
       select from statuses
       where author_id = users.account_id and id >= weeks.from_id and id < weeks.to_id and reblog_of_id is null
       offset 0
     ) posts where users.last_active_at >= weeks.week::timestamp at time zone 'UTC' - interval '1 hour'),
    (select count(*) from users
     where last_active_at >= weeks.week::timestamp at time zone 'UTC'
       and last_active_at < (weeks.week + 7)::timestamp at time zone 'UTC'),
    (select count(*) from users where account_id >= weeks.from_id and account_id < weeks.to_id)
  from unnest($1::date[], $2::text[], $3::text[]) as weeks (week, from_id, to_id)
  on conflict (week) do update set
    statuses = greatest(instance_weeks.statuses, excluded.statuses),
    logins = greatest(instance_weeks.logins, excluded.logins),
    registrations = greatest(instance_weeks.registrations, excluded.registrations)`,
);

/** All SQL on `instance_weeks`. */
@Injectable()
export class ActivityRepository {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  /** The counted weeks since a Monday, unordered. */
  since(week: string): Promise<WeekRow[]> {
    return this.uow.manager.findBy(InstanceWeek, { week: MoreThanOrEqual(week) });
  }

  /** Counts weeks, and deletes those before `firstKept`. */
  async count(weeks: readonly WeekBounds[], firstKept: string): Promise<void> {
    await this.db.run(count, [weeks.map(({ week }) => week), weeks.map(({ from }) => from), weeks.map(({ to }) => to)]);
    await this.uow.manager.delete(InstanceWeek, { week: LessThan(firstKept) });
  }
}
