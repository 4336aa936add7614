import { isPlainObject } from '../../common/index.js';

type Values = Readonly<Record<string, unknown>>;

/**
 * Settings with changes merged in (RFC 7396): objects are merged key by key, everything else replaces what was there, and
 * null takes a key away. What is there and no object counts as an empty one.
 */
export function mergePatch(current: unknown, changes: Values): Values {
  const merged = new Map(isPlainObject(current) ? Object.entries(current) : []);
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) merged.delete(key);
    else merged.set(key, isPlainObject(value) ? mergePatch(merged.get(key), value) : value);
  }
  return Object.fromEntries(merged);
}
