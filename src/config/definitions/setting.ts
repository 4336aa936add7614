import type { Static, TSchema } from 'typebox';
import type { ValueType } from './value-types.js';

/** One live setting as data: the source of its type, validation, documentation and default. */
export interface Setting<T extends TSchema = TSchema> {
  readonly type: ValueType<T>;
  readonly default: Static<T>;
  /** The effect, with the unit of the value: one or two sentences. */
  readonly description: string;
  readonly suggestions: readonly Static<T>[];
  /** Whether a change takes effect only after a restart (spec §4.1.9, rule 10). */
  readonly reboot: boolean;
  /** Whether the value is masked in all output. */
  readonly secret: boolean;
  /** The prefix of the names of a list in the configuration API, if they are modules. */
  readonly modules: string;
}

/** Settings by their paths. A path is `group.key`; the key may have dots of its own. */
export type Definitions = Readonly<Record<`${string}.${string}`, Setting>>;

/** Defines a setting. */
export function setting<T extends TSchema>(
  type: ValueType<T>,
  fallback: NoInfer<Static<T>>,
  description: string,
  options: Partial<Pick<Setting<T>, 'suggestions' | 'reboot' | 'secret' | 'modules'>> = {},
): Setting<T> {
  return {
    type,
    default: fallback,
    description,
    suggestions: [],
    reboot: false,
    secret: false,
    modules: '',
    ...options,
  };
}

/** The two parts of a stored path: `instance.limit` is the key `limit` of the group `instance`. */
export function splitPath(path: string): { readonly group: string; readonly key: string } {
  const dot = path.indexOf('.');
  return { group: path.slice(0, dot), key: path.slice(dot + 1) };
}
