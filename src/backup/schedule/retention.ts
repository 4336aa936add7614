import type { Retention } from '../../platform/index.js';

const NAME = /^svc-(\d{4})-(\d\d)-(\d\d)T(\d\d)(\d\d)(\d\d)Z\.tar\.zst(\.enc)?$/;
const DAY_MS = 24 * 60 * 60 * 1_000;
/** A Monday. */
const FIRST_WEEK_MS = 4 * DAY_MS;
/** Clocks of several machines may differ by so much. */
const AHEAD_MS = 60 * 60 * 1_000;

/** The name of a scheduled backup: `svc-2026-11-27T031500Z.tar.zst`, with `.enc` when it is encrypted. */
export function scheduledName(time: Date, isEncrypted: boolean): string {
  const text = time.toISOString().slice(0, 19).replaceAll(':', '');
  return `svc-${text}Z.tar.zst${isEncrypted ? '.enc' : ''}`;
}

/** The time in the name of a scheduled backup; undefined for other files. */
export function timeOfName(name: string): Date | undefined {
  const [, year, month, day, hours, minutes, seconds] = NAME.exec(name) ?? [];
  if (year === undefined) return undefined;
  const time = new Date(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}Z`);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

/** The day in UTC, such as `2026-11-27`. */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/** Whether a time is to come: a clock that was ahead has given it to a backup. */
export function isToCome(time: Date, now: Date): boolean {
  return time.getTime() > now.getTime() + AHEAD_MS;
}

/**
 * The scheduled backups that go: all but the newest of each of the last days, weeks (from Monday, UTC) and months that have
 * one. Other files are never among them, nor backups of times to come: they would take the places of right ones, and with a
 * clock that is behind they are the right ones.
 */
export function surplusBackups(names: readonly string[], { days, weeks, months }: Retention, now: Date): string[] {
  const backups = names
    .flatMap((name) => {
      const time = timeOfName(name);
      return time && !isToCome(time, now) ? [{ name, time }] : [];
    })
    .sort((a, b) => b.time.getTime() - a.time.getTime());
  const retained = new Set<string>();
  const retain = (count: number, period: (time: Date) => string | number) => {
    const newest = new Map<string | number, string>();
    for (const { name, time } of backups) if (!newest.has(period(time))) newest.set(period(time), name);
    for (const name of [...newest.values()].slice(0, count)) retained.add(name);
  };
  retain(days, dayOf);
  retain(weeks, (time) => Math.floor((time.getTime() - FIRST_WEEK_MS) / (7 * DAY_MS)));
  retain(months, (time) => dayOf(time).slice(0, 7));
  return backups.map(({ name }) => name).filter((name) => !retained.has(name));
}
