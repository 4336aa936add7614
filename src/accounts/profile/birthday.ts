import { fieldPhrase, type Reason, Unprocessable } from '../../common/index.js';
import type { Settings } from '../../config/index.js';

const DAY_MS = 86_400_000;

export interface BirthdayRules {
  readonly required: boolean;
  readonly minAgeDays: number;
}

/** The rules of this server. A least age demands a birthday: without one, nobody would be too young. */
export function birthdayRules(settings: Pick<Settings, 'get'>): BirthdayRules {
  const minAgeDays = settings.get('instance.birthday_min_age');
  return { required: settings.get('instance.birthday_required') || minAgeDays > 0, minAgeDays };
}

/**
 * Checks a birthday, `YYYY-MM-DD`; null removes it.
 * @throws Unprocessable with the text of {@link birthdayProblem}
 */
export function requireBirthday(birthday: string | null, rules: BirthdayRules, now = Date.now()): void {
  const problem = birthdayProblem(birthday, rules, now);
  if (problem !== undefined) throw new Unprocessable(fieldPhrase('birthday', problem));
}

/**
 * The problem of a birthday, or undefined. The day must exist and lie in the past, its owner must be old enough, and a
 * required birthday must be given.
 */
export function birthdayProblem(
  birthday: string | null,
  { required, minAgeDays }: BirthdayRules,
  now = Date.now(),
): Reason | undefined {
  if (birthday === null) return required ? "can't be blank" : undefined;
  const time = dayStart(birthday);
  if (time === undefined) return 'must be a day such as 1990-12-31';
  if (time > now) return 'lies in the future';
  return now - time < minAgeDays * DAY_MS ? 'is too young' : undefined;
}

/**
 * Milliseconds, or undefined for a day that does not exist: JavaScript turns February 30th into a day of March and
 * knows a year 0.
 */
function dayStart(day: string): number | undefined {
  const time = /^(?!0000)\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day) ? time : undefined;
}
