const DATE = /^\d{4}-\d\d-\d\d$/;
/** A time of day at the end, without the zone that it holds in. */
const TIME_WITHOUT_ZONE = /[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/;

/** The moment that a text names (ISO 8601), in UTC unless it says otherwise, wherever the server stands; undefined for none. */
export function momentOf(text: string): Date | undefined {
  const written = text.trim();
  const moment = new Date(TIME_WITHOUT_ZONE.test(written) ? `${written}Z` : written);
  const year = moment.getUTCFullYear(); // NaN for what is no date
  return isDay(written.slice(0, 10)) && year < 10_000 ? moment : undefined;
}

/** Dates of JavaScript take February 30th for a day of March. */
function isDay(day: string): boolean {
  const start = new Date(`${day}T00:00:00Z`);
  return DATE.test(day) && !Number.isNaN(start.getTime()) && start.toISOString().startsWith(day);
}
