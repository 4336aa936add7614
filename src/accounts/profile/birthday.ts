import { Unprocessable } from '../../common/index.js';

const DAY_MS = 86_400_000;

export interface BirthdayRules {
  readonly required: boolean;
  readonly minAgeDays: number;
}

/**
 * Checks a birthday, `YYYY-MM-DD`; null takes it away.
 * @throws Unprocessable with what {@link birthdayProblem} says
 */
export function requireBirthday(birthday: string | null, rules: BirthdayRules, now = Date.now()): void {
  const problem = birthdayProblem(birthday, rules, now);
  if (problem !== undefined) throw new Unprocessable(`birthday ${problem}`);
}

/**
 * What is wrong with a birthday, or undefined: it is no day of the calendar or one to come, its owner is too young, or
 * there is none where one is required.
 */
export function birthdayProblem(
  birthday: string | null,
  { required, minAgeDays }: BirthdayRules,
  now = Date.now(),
): string | undefined {
  if (birthday === null) return required ? "can't be blank" : undefined;
  const time = dayStart(birthday);
  if (time === undefined) return 'must be a day such as 1990-12-31';
  if (time > now) return 'lies in the future';
  return now - time < minAgeDays * DAY_MS ? 'is too young' : undefined;
}

/**
 * Milliseconds, or undefined when there is no such day: February 30th would become a day of March, and the year 0, which
 * dates of JavaScript have, is none.
 */
function dayStart(day: string): number | undefined {
  const time = /^(?!0000)\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day) ? time : undefined;
}
