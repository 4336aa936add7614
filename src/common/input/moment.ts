const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
/** A time of day at the end, without a zone. */
const TIME_WITHOUT_ZONE = /[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/;

/**
 * The moment of a text (ISO 8601), in UTC unless it names a zone, independently of the server's zone; undefined when invalid.
 */
export function momentOf(text: string): Date | undefined {
  const written = text.trim();
  const moment = new Date(TIME_WITHOUT_ZONE.test(written) ? `${written}Z` : written);
  const year = moment.getUTCFullYear(); // NaN for no date
  return year >= 1 && year < 10_000 && isDay(written.slice(0, 10)) ? moment : undefined;
}

/** JavaScript takes February 30th for a day of March. */
function isDay(text: string): boolean {
  const [year, month, day] = (DATE.exec(text) ?? []).slice(1).map(Number);
  if (year === undefined || month === undefined) return false;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day); // unlike Date.UTC, it takes the year 99 as such
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
