export const WEEK_MS = 604_800_000;
/** The first Monday of the Unix era, 1970-01-05. */
const FIRST_MONDAY = 345_600_000;

/** A week in UTC. */
export interface Week {
  /** Its Monday, `2024-05-06`. */
  readonly week: string;
  /** Its begin, in milliseconds. */
  readonly start: number;
}

/** The last weeks until a moment, the running one first. */
export function lastWeeks(count: number, now: Date): Week[] {
  const running = now.getTime() - ((now.getTime() - FIRST_MONDAY) % WEEK_MS);
  return Array.from({ length: count }, (_, back) => {
    const start = running - back * WEEK_MS;
    return { week: new Date(start).toISOString().slice(0, 10), start };
  });
}
