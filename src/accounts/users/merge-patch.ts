import { isPlainObject } from '../../common/index.js';

type Values = Readonly<Record<string, unknown>>;

/**
 * Merges changes into settings (RFC 7396): objects merge key by key, other values replace the old ones, and null
 * removes a key. A target that is no object counts as an empty one.
 */
export function mergePatch(current: unknown, changes: Values): Values {
  const merged = new Map(isPlainObject(current) ? Object.entries(current) : []);
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) merged.delete(key);
    else merged.set(key, isPlainObject(value) ? mergePatch(merged.get(key), value) : value);
  }
  return Object.fromEntries(merged);
}
