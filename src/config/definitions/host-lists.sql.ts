/**
 * SQL: whether an array of entries in lower case names a host, as {@link listsHost}. The entries are hashed, and asked for
 * the host and its domains, with its port and without.
 */
export function isListedHost(host: string, entries: string): string {
  const names = `array[lower(${host})] || case when strpos(${host}, ':') > 0 then array[regexp_replace(lower(${host}), ':[0-9]+$', '')] end`;
  const labels = `string_to_array(each.name, '.')`;
  return `exists (select from unnest(${names}) each (name) cross join generate_series(0, cardinality(${labels})) at
     where (case when at = 0 then each.name else '*.' || array_to_string((${labels})[at:], '.') end in (select unnest(${entries}))) is true)`;
}
