import { Injectable } from '@nestjs/common';
import { keyBy } from '../../common/index.js';
import { firstFlakeAt } from '../../platform/index.js';
import { ActivityRepository, type WeekBounds, type WeekRow } from './activity.repository.js';
import { lastWeeks, WEEK_MS } from './weeks.js';

/** The number of published weeks (reference). */
const WEEKS = 12;
/** The running week changes, and the previous one may have ended after its last count. */
const OPEN_WEEKS = 2;

/** Activity on this server by week (reference: instance activity). */
@Injectable()
export class ActivityService {
  constructor(private readonly repository: ActivityRepository) {}

  /** The last twelve weeks, the running one first. */
  async weeks(): Promise<WeekRow[]> {
    const mondays = lastWeeks(WEEKS, new Date()).map(({ week }) => week);
    const known = keyBy(await this.repository.since(mondays.at(-1) ?? ''), ({ week }) => week);
    return mondays.map((week) => known.get(week) ?? { week, statuses: 0, logins: 0, registrations: 0 });
  }

  /** Counts the weeks that may have changed and those that are missing. */
  async refresh(): Promise<void> {
    const weeks = lastWeeks(WEEKS, new Date());
    const first = weeks.at(-1)?.week ?? '';
    const known = new Set((await this.repository.since(first)).map(({ week }) => week));
    const due = weeks.filter(({ week }, at) => at < OPEN_WEEKS || !known.has(week));
    await this.repository.count(due.map(bounds), first);
  }
}

function bounds({ week, start }: { readonly week: string; readonly start: number }): WeekBounds {
  return { week, from: firstFlakeAt(start), to: firstFlakeAt(start + WEEK_MS) };
}
