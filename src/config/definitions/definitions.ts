import { frontendDefinitions } from './definitions.frontends.js';
import { instanceDefinitions } from './definitions.instance.js';
import { limitDefinitions } from './definitions.limits.js';
import { mediaDefinitions } from './definitions.media.js';
import { policyDefinitions } from './definitions.policies.js';
import { serviceDefinitions } from './definitions.services.js';
import type { Setting } from './setting.js';
import type { ValueOf } from './value-types.js';

/** Every live setting. Others are neither read nor written. */
export const definitions = {
  ...instanceDefinitions,
  ...serviceDefinitions,
  ...policyDefinitions,
  ...mediaDefinitions,
  ...limitDefinitions,
  ...frontendDefinitions,
};

type DefinitionsByPath = typeof definitions;

/** The path of a setting: `instance.limit`. */
export type SettingPath = keyof DefinitionsByPath;

/** A path, or the group of several. */
export type SettingPrefix = SettingPath | (SettingPath extends `${infer Group}.${string}` ? Group : never);

/** The type of `settings.get(path)`. */
export type SettingValue<P extends SettingPath> = DeepReadonly<ValueOf<DefinitionsByPath[P]['type']>>;

/** One value for each setting. */
export type SettingValues = { readonly [P in SettingPath]: SettingValue<P> };

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

/** Every path, in the order of the definitions. */
export const settingPaths = Object.keys(definitions) as readonly SettingPath[];

/** The definition of a path from outside; undefined when there is no such setting. */
export function definitionOf(path: string): Setting | undefined {
  return isSettingPath(path) ? definitions[path] : undefined;
}

export function isSettingPath(path: string): path is SettingPath {
  return Object.hasOwn(definitions, path);
}
