import { parseUrl } from '../../platform/index.js';
import { Invalid, isPlainObject, phrase, unique } from '../../common/index.js';
import { definitions, type SettingPath } from '../definitions/definitions.js';
import { type HostList, hostReasons } from '../definitions/host-lists.js';
import { isAtom, plainOf, type Term, termOf } from '../store/terms.js';

/** The form of a setting in the configuration API where it is not that of its plain value. */
interface SettingForm {
  /** The name of its type in the descriptions. */
  readonly type: string;
  /** The value that plain data of the API means. */
  read(plain: unknown): unknown;
  show(value: unknown, named: (module: string) => string): Term;
}

/** Pleroma's "only while the instance is private". Means false: a private instance closes everything anyway. */
const IF_PRIVATE = ':if_instance_is_private';

/** `match_actor` of SubchainPolicy: policies by what the address of an actor contains. A map has each pattern once. */
const subchains: SettingForm = {
  type: 'map',
  read: (plain) => entriesOf(plain)?.map(([pattern, names]) => [pattern, policiesOf(names)]) ?? plain,
  show: (value, named) => {
    const chains = Map.groupBy(
      value as readonly (readonly [pattern: string, names: readonly string[]])[],
      ([text]) => text,
    );
    const policies = [...chains].map(([pattern, all]) => [pattern, unique(all.flatMap(([, names]) => names))] as const);
    return Object.fromEntries(policies.map(([pattern, names]) => [pattern, modulesOf(names, POLICY_MODULES, named)]));
  },
};

/** A map with names of one's own, which is replaced as a whole (spec §4.1.9, rule 5): else no entry could be removed. */
const replacedMap: SettingForm = { type: 'map', read: (plain) => plain, show: (value) => termOf(value) };

/** `hosts` of UserAllowListPolicy: the accounts of a host that are accepted. */
const allowedActors: SettingForm = {
  type: 'map',
  read: (plain) => {
    const entries = entriesOf(plain);
    return entries ? unique(entries.flatMap(([host, actors]) => actorsOf(host, actors))) : plain;
  },
  show: (value) => Object.groupBy(value as readonly string[], hostOf),
};

/** The forms of settings; others have that of their plain value. */
export const settingForms: Partial<Record<SettingPath, SettingForm>> = {
  'mrf.subchains': subchains,
  'mrf_user_allowlist.actors': allowedActors,
  'frontends.available': replacedMap,
};

const POLICY_MODULES = definitions['mrf.policies'].modules;

/**
 * The value of a setting that a term means. Objects are merged with the current value.
 * @throws Invalid for accounts under the name of another host; other wrong values are returned as they are
 */
export function settingValue(path: SettingPath, current: unknown, term: Term): unknown {
  const { default: fallback, type, modules } = definitions[path];
  const value = plainOf(term);
  const form = settingForms[path];
  if (form) return form.read(value);
  if (modules !== '') return namesOf(value, modules);
  if (isPlainObject(fallback) && isPlainObject(value)) {
    const defaults: Readonly<Record<string, unknown>> = { ...fallback };
    const fields = Object.entries(value).map(([name, field]) => [name, plainField(defaults[name], field)]);
    return { ...(current as object), ...Object.fromEntries(fields) };
  }
  return worded(type.schema, plainField(fallback, value));
}

/** The accounts of the allow list when those of one host are replaced. Throws Invalid for accounts of other hosts. */
export function withActorsOf(host: string, term: Term, current: unknown): unknown {
  const others = (current as readonly string[]).filter((actor) => hostOf(actor) !== host.toLowerCase());
  return [...others, ...actorsOf(host, plainOf(term))];
}

/**
 * The form in which the API shows the value of a setting.
 * @param named gives a module its name under the brand
 */
export function settingTerm(path: SettingPath, value: unknown, named: (module: string) => string): Term {
  const { modules } = definitions[path];
  const form = settingForms[path];
  if (form) return form.show(value, named);
  if (modules !== '') return modulesOf(value as readonly string[], modules, named);
  return termOf(isHostList(path) ? hostReasons(value as HostList) : value);
}

/** What stands for a text or a flag in Pleroma and Akkoma. */
function plainField(fallback: unknown, value: unknown): unknown {
  if (value === null && typeof fallback === 'string') return '';
  return value === IF_PRIVATE && typeof fallback === 'boolean' ? false : value;
}

/** Atoms as words, where words of a fixed set stand. */
function worded(schema: object, value: unknown): unknown {
  const { items } = schema as { readonly items?: object };
  if (items && Array.isArray(value)) return value.map((item) => worded(items, item));
  return isAtom(value) && 'enum' in schema ? value.slice(1) : value;
}

/** The names of modules, of which one may stand where a list does. */
function namesOf(value: unknown, modules: string): unknown {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.map((name) => nameOfModule(name, modules));
}

const policiesOf = (value: unknown) => namesOf(value, POLICY_MODULES);

/** `Svc.Web.ActivityPub.MRF.NoOpPolicy`, with any brand in the place of Svc, as `NoOpPolicy`. */
function nameOfModule(name: unknown, modules: string): unknown {
  const rest = modules.slice(modules.indexOf('.'));
  return typeof name === 'string' && name.includes(rest) ? name.slice(name.indexOf(rest) + rest.length) : name;
}

function modulesOf(names: readonly string[], modules: string, named: (module: string) => string): string[] {
  return names.map((name) => named(modules + name));
}

/** The entries of a map, also of one that is a list of pairs; undefined for other values. */
function entriesOf(plain: unknown): (readonly [key: string, value: unknown])[] | undefined {
  if (isPlainObject(plain)) return Object.entries(plain);
  const isPair = (item: unknown) => Array.isArray(item) && item.length === 2 && typeof item[0] === 'string';
  return Array.isArray(plain) && plain.every(isPair) ? (plain as [string, unknown][]) : undefined;
}

function actorsOf(host: string, actors: unknown): string[] {
  const list: readonly unknown[] = Array.isArray(actors) ? actors : [actors];
  const wrong = list.find((actor) => typeof actor !== 'string' || hostOf(actor) !== host.toLowerCase());
  if (wrong !== undefined)
    throw new Invalid(
      phrase('mrf_user_allowlist: {given} is no account of {host}', { given: JSON.stringify(wrong), host }),
    );
  return list as string[];
}

const hostOf = (address: string) => parseUrl(address)?.host ?? '';

/** Dashboards know hosts with reasons only, which may be empty. */
function isHostList(path: SettingPath): boolean {
  const { items } = definitions[path].type.schema as { items?: { anyOf?: unknown } };
  return items?.anyOf !== undefined;
}
