import { Check } from 'typebox/schema';
import { assertCleanText } from '../../common/index.js';
import {
  definitionOf,
  definitions,
  isSettingPath,
  type SettingPath,
  type SettingValues,
} from '../definitions/definitions.js';

/** A row of `config_items`. */
export interface StoredItem {
  readonly group: string;
  readonly key: string;
  readonly value: unknown;
}

/** All settings at one moment. */
export interface SettingsSnapshot {
  readonly values: SettingValues;
  /** The settings that do not stand at their defaults because a value is stored. */
  readonly stored: ReadonlySet<SettingPath>;
  /** Stored values that do not fit their definition, and therefore do not count. */
  readonly misfits: readonly { readonly path: string; readonly problem: string }[];
}

/**
 * Lays stored values over the defaults. A value that does not fit is left out, so that the server starts whatever the
 * table holds; an item without a definition belongs to another version or to nobody, and is passed over.
 */
export function snapshotOf(items: readonly StoredItem[]): SettingsSnapshot {
  const stored = new Map<SettingPath, unknown>();
  const misfits: { path: string; problem: string }[] = [];
  for (const { group, key, value } of items) {
    const path = `${group}.${key}`;
    if (!isSettingPath(path)) continue;
    const problem = problemOf(path, value);
    if (problem === undefined) stored.set(path, value);
    else misfits.push({ path, problem });
  }
  const defaults = Object.entries(definitions).map(([path, definition]) => [path, definition.default] as const);
  const values = Object.fromEntries<unknown>([...defaults, ...stored]) as SettingValues;
  return { values, stored: new Set(stored.keys()), misfits };
}

/** Why a value cannot stand at a path, in words that complete "instance.limit …"; undefined when it can. */
export function problemOf(path: string, value: unknown): string | undefined {
  const definition = definitionOf(path);
  if (!definition) return 'is not a setting';
  if (!Check(definition.type.schema, value)) return `must be ${definition.type.words}`;
  return assertCleanText(value) === undefined ? undefined : 'must not contain NUL or broken characters';
}
