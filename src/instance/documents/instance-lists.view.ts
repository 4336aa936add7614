import { Json } from '../../common/index.js';
import type { WeekRow } from '../figures/activity.repository.js';
import type { ActivityJson, RuleJson } from './instance.shape.js';
import type { RuleRow } from '../rules/rules.repository.js';

const MS_PER_SECOND = 1_000;

/** A rule as apps see it (reference Rule). */
export function ruleJson({ id, text, hint }: RuleRow): RuleJson {
  return { id, text, hint };
}

/** `GET /api/v1/instance/rules` */
export function rulesJson(rules: readonly RuleRow[]): Json {
  return Json.of(rules.map(ruleJson));
}

/** `GET /api/v1/instance/activity`: all numbers are texts (reference). */
export function activityJson(weeks: readonly WeekRow[]): Json {
  const activity: ActivityJson = weeks.map(({ week, statuses, logins, registrations }) => ({
    week: String(Date.parse(week) / MS_PER_SECOND),
    statuses: String(statuses),
    logins: String(logins),
    registrations: String(registrations),
  }));
  return Json.of(activity);
}
