import type { TSchema } from 'typebox';
import { definitions, type SettingPath } from '../definitions/definitions.js';
import type { DescriptionsJson } from './configuration.shape.js';
import { settingForms } from './setting-forms.js';
import { settingGroups } from './setting-groups.js';

/** The names of types that differ from those of JSON Schema. */
const TYPE_NAMES: Readonly<Record<string, string>> = { object: 'map', number: 'float' };

type Child = DescriptionsJson[number]['children'][number];

/**
 * All settings as the pages of dashboards need them (spec §4.1.9).
 * @param named gives a group or key the name under the server's brand
 */
export function describeSettings(named: (name: string) => string): DescriptionsJson {
  return settingGroups.map(({ key, description, policy, paths }) => ({
    group: named(':svc'),
    key: named(key),
    label: labelOf(key.replace(/^Svc\./, '')),
    type: 'group',
    description,
    ...(key.startsWith(':mrf') && { tab: 'mrf' }),
    ...(policy && { related_policy: named(definitions['mrf.policies'].modules + policy) }),
    children: [...paths].map(([name, path]) => describe(name, path, named)),
  }));
}

function describe(key: string, path: SettingPath, named: (name: string) => string): Child {
  const { type, description, suggestions, default: fallback, modules } = definitions[path];
  const values: readonly unknown[] = suggestions.length > 0 ? suggestions : [fallback];
  const texts = values.flatMap(textsOf).map((each) => (modules === '' ? each : named(modules + each)));
  const own = {
    key,
    label: labelOf(key),
    type: settingForms[path]?.type ?? typeOf(type.schema),
    description,
    suggestions: texts,
  };
  const { properties } = type.schema as { properties?: Readonly<Record<string, TSchema>> };
  return properties ? { ...own, children: fieldsOf(properties, fallback) } : own;
}

/** The fields of an object, with their defaults. */
function fieldsOf(properties: Readonly<Record<string, TSchema>>, defaults: unknown) {
  return Object.entries(properties).map(([field, schema]) => {
    const value = (defaults as Readonly<Record<string, unknown>>)[field];
    const type = typeOf(schema);
    return { key: `:${field}`, label: labelOf(field), type, description: '', suggestions: [...textsOf(value)] };
  });
}

/** The name of a type in the descriptions. */
function typeOf(schema: TSchema): Child['type'] {
  interface Known {
    readonly type?: string;
    readonly items?: Known;
    readonly anyOf?: unknown;
  }
  const { type, items, anyOf } = schema as Known;
  if (anyOf) return ['tuple', ['list', 'tuple']];
  if (type === 'array') return ['list', items?.anyOf ? 'tuple' : (items?.type ?? 'string')];
  return (type && TYPE_NAMES[type]) ?? type ?? 'string';
}

/** The items of a list of texts, or the value itself. */
function textsOf(value: unknown): readonly string[] {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  return [typeof value === 'string' ? value : JSON.stringify(value)];
}

/** `:user_bio_length` as `User bio length`. */
function labelOf(key: string): string {
  const words = key.replace(/^:/, '').replaceAll(/[_.]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
