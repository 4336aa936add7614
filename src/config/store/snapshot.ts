import type { TSchema } from 'typebox';
import { Check } from 'typebox/schema';
import { assertCleanText, phrase, type Phrase, type Reason } from '../../common/index.js';
import {
  definitionOf,
  definitions,
  isSettingPath,
  type SettingPath,
  settingPaths,
  type SettingValues,
} from '../definitions/definitions.js';
import { keywordsOf } from './terms.js';

/** Characters of a wrong item that an error shows. */
const MOST_SHOWN = 200;

/** A row of `config_items`. */
export interface StoredItem {
  readonly group: string;
  readonly key: string;
  readonly value: unknown;
}

/** All settings at one moment. */
export interface SettingsSnapshot {
  readonly values: SettingValues;
  /** The settings with a stored value. */
  readonly stored: ReadonlySet<SettingPath>;
  /** Stored values that do not match their definition and are ignored. */
  readonly misfits: readonly { readonly path: string; readonly problem: string }[];
  /** Values that apply only after a restart (spec §4.1.9, rule 10), by name. */
  readonly fixed: Readonly<Record<string, unknown>>;
}

/** Keys of the configuration API that are no settings here, but have the server restarted; of some keys an entry does. */
const FIXED_KEYS: ReadonlySet<string> = new Set([':hackney_pools', ':connections_pool', ':pools', ':chat']);
const FIXED_ENTRIES: ReadonlyMap<string, string> = new Map([['Svc.Upload', ':proxy_remote']]);

/**
 * Applies stored values over the defaults. Ignores invalid values, of a list only its invalid items, so that the server
 * starts with any table, and items without a definition, which another version may have stored.
 * @param starts values that hold in the place of defaults
 */
export function snapshotOf(items: readonly StoredItem[], starts: Partial<SettingValues> = {}): SettingsSnapshot {
  const stored = new Map<SettingPath, unknown>();
  const misfits: { path: string; problem: string }[] = [];
  for (const { group, key, value } of items) {
    const path = `${group}.${key}`;
    if (!isSettingPath(path)) continue;
    const problem = problemOf(path, value);
    const fitting = problem === undefined ? value : fittingItems(path, value);
    if (fitting !== undefined) stored.set(path, fitting);
    if (problem !== undefined) misfits.push({ path, problem: String(problem) });
  }
  const defaults = Object.entries(definitions).map(([path, definition]) => [path, definition.default] as const);
  const values = {
    ...Object.fromEntries<unknown>(defaults),
    ...starts,
    ...Object.fromEntries(stored),
  } as SettingValues;
  const fixedSettings = settingPaths
    .filter((path) => definitions[path].reboot)
    .map((path) => [path, values[path]] as const);
  const fixedItems = items
    .filter(({ group }) => group === ':svc')
    .map((item) => [item.key, fixedPartOf(item)] as const)
    .filter(([, part]) => part !== undefined);
  const fixed = Object.fromEntries<unknown>([...fixedSettings, ...fixedItems]);
  return { values, stored: new Set(stored.keys()), misfits, fixed };
}

function fixedPartOf({ key, value }: StoredItem): unknown {
  return FIXED_KEYS.has(key) ? value : keywordsOf(value)?.get(FIXED_ENTRIES.get(key) ?? '');
}

/** The error of a value for a path, as the end of "instance.limit …"; undefined when it is valid. */
export function problemOf(path: string, value: unknown): Reason | undefined {
  const definition = definitionOf(path);
  if (!definition) return 'is not a setting';
  if (!Check(definition.type.schema, value)) return misfit(definition.type.words, path, value);
  return assertCleanText(value) === undefined ? undefined : 'must not contain NUL or broken characters';
}

/** The items of a list that fit its setting, each once; undefined when none does. */
function fittingItems(path: SettingPath, value: unknown): unknown[] | undefined {
  const fitting = itemsOf(path, value)?.filter(({ fits }) => fits) ?? [];
  const items = [...new Map(fitting.map(({ item }) => [JSON.stringify(item), item])).values()];
  return items.length > 0 && problemOf(path, items) === undefined ? items : undefined;
}

/** What a value must be, with the first item of a list that does not fit its setting. */
function misfit(words: Phrase, path: string, value: unknown): Reason {
  const wrong = itemsOf(path, value)?.find(({ fits }) => !fits);
  if (!wrong) return phrase('must be {words}', { words });
  return phrase('must be {words}: {item} is none', { words, item: JSON.stringify(wrong.item).slice(0, MOST_SHOWN) });
}

function itemsOf(path: string, value: unknown): { readonly item: unknown; readonly fits: boolean }[] | undefined {
  const { items: schema } = (definitionOf(path)?.type.schema ?? {}) as { readonly items?: TSchema };
  if (!schema || Array.isArray(schema) || !Array.isArray(value)) return undefined;
  return value.map((item: unknown) => ({ item, fits: Check(schema, item) && assertCleanText(item) === undefined }));
}
