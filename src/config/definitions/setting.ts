import type { Static, TSchema } from 'typebox';
import type { ValueType } from './value-types.js';

/** One live setting as data: typing, validation, documentation and the default all come from here. */
export interface Setting<T extends TSchema = TSchema> {
  readonly type: ValueType<T>;
  readonly default: Static<T>;
  /** What it does, with the unit of its value: one or two sentences. */
  readonly description: string;
  readonly suggestions: readonly Static<T>[];
  /** Whether a change holds only after a restart (spec §4.1.9, rule 10). */
  readonly reboot: boolean;
  /** Whether the value is masked wherever it is shown. */
  readonly secret: boolean;
}

/** Settings by their paths. A path is `group.key`; the key may have dots of its own. */
export type Definitions = Readonly<Record<`${string}.${string}`, Setting>>;

/** Defines a setting. */
export function setting<T extends TSchema>(
  type: ValueType<T>,
  fallback: NoInfer<Static<T>>,
  description: string,
  options: Partial<Pick<Setting<T>, 'suggestions' | 'reboot' | 'secret'>> = {},
): Setting<T> {
  return { type, default: fallback, description, suggestions: [], reboot: false, secret: false, ...options };
}

/** The two parts under which a setting is stored: `instance.limit` is the key `limit` of the group `instance`. */
export function splitPath(path: string): { readonly group: string; readonly key: string } {
  const dot = path.indexOf('.');
  return { group: path.slice(0, dot), key: path.slice(dot + 1) };
}
