const DATE = /^\d{4}-\d\d-\d\d$/;
/** A time of day at the end, without a zone. */
const TIME_WITHOUT_ZONE = /[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/;

/**
 * The moment of a text (ISO 8601), in UTC unless it names a zone, independently of the server's zone; undefined when invalid.
 */
export function momentOf(text: string): Date | undefined {
  const written = text.trim();
  const moment = new Date(TIME_WITHOUT_ZONE.test(written) ? `${written}Z` : written);
  const year = moment.getUTCFullYear(); // NaN for no date
  return isDay(written.slice(0, 10)) && year < 10_000 ? moment : undefined;
}

/** JavaScript takes February 30th for a day of March. */
function isDay(day: string): boolean {
  const start = new Date(`${day}T00:00:00Z`);
  return DATE.test(day) && !Number.isNaN(start.getTime()) && start.toISOString().startsWith(day);
}
