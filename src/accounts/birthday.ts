import { Unprocessable } from '../common/index.js';

const DAY_MS = 86_400_000;

export interface BirthdayRules {
  readonly required: boolean;
  readonly minAgeDays: number;
}

/**
 * Checks a birthday, `YYYY-MM-DD`; null takes it away.
 * @throws Unprocessable for no day of the calendar, a day to come, somebody too young, and null where one is required
 */
export function requireBirthday(
  birthday: string | null,
  { required, minAgeDays }: BirthdayRules,
  now = Date.now(),
): void {
  if (birthday === null) {
    if (required) throw new Unprocessable('A birthday is required');
    return;
  }
  const time = dayStart(birthday);
  if (time === undefined) throw new Unprocessable('The birthday must be a day such as 1990-12-31');
  if (time > now) throw new Unprocessable('The birthday lies in the future');
  if (now - time < minAgeDays * DAY_MS) throw new Unprocessable('You are too young for this server');
}

/** Milliseconds, or undefined when there is no such day (February 30th would become a day of March). */
function dayStart(day: string): number | undefined {
  const time = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day) ? time : undefined;
}
