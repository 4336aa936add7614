/** The items by a unique key; the later one of two with the same key stays. */
export function keyBy<T, K>(items: Iterable<T>, key: (item: T) => K): Map<K, T> {
  const byKey = new Map<K, T>();
  for (const item of items) byKey.set(key(item), item);
  return byKey;
}

/** The items in groups, each in the order given. */
export function groupBy<T, K>(items: Iterable<T>, key: (item: T) => K): Map<K, T[]> {
  return Map.groupBy(items, key);
}

/** The values of a map for the keys, in their order; missing keys are left out. */
export function inOrder<K, T>(keys: Iterable<K>, byKey: ReadonlyMap<K, T>): T[] {
  const found: T[] = [];
  for (const key of keys) {
    const item = byKey.get(key);
    if (item !== undefined) found.push(item);
  }
  return found;
}

/** The distinct values in the order of their first appearance, without null and undefined. */
export function unique<T>(values: Iterable<T | null | undefined>): T[] {
  const found = new Set<T>();
  for (const value of values) if (value !== null && value !== undefined) found.add(value);
  return [...found];
}
