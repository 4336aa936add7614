import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { Invalid, isPlainObject, phrase, unique } from '../../common/index.js';
import { Brand } from '../../platform/index.js';
import { definitions, type SettingPath } from '../definitions/definitions.js';
import { splitPath } from '../definitions/setting.js';
import { Settings } from '../store/settings.js';
import { MASK, type Revision, SettingsService } from '../store/settings.service.js';
import { type StoredItem } from '../store/snapshot.js';
import type { DescriptionsJson } from './configuration.shape.js';
import { describeSettings } from './descriptions.js';
import { masked, unmasked } from './masks.js';
import { REPLACED_ENTRIES, REPLACED_KEYS, type SettingGroup, settingGroups } from './setting-groups.js';
import { settingTerm, settingValue, withActorsOf } from './setting-forms.js';
import { isAtom, keywordList, keywordsOf, mergeTerms, plainOf, type Term, withoutEntries } from '../store/terms.js';

/** An item of the configuration API. */
export interface ConfigurationItem {
  readonly group: string;
  readonly key: string;
  readonly value: Term;
  /** The stored part of the value, as names of its entries or as the key itself; missing without a stored part. */
  readonly db?: readonly string[];
  /** What of the stored part is no setting here, in the same form: it has no effect. Missing when everything is one. */
  readonly unknown?: readonly string[];
}

/** A change by the configuration API. */
export interface ConfigurationChange {
  readonly group: string;
  readonly key: string;
  readonly value?: Term;
  readonly delete?: boolean;
  readonly subkeys?: readonly string[];
}

const OWN_GROUP = ':svc';
const MODULE = 'Svc.';
/** What frontends read: no setting of this server, which shows it to them. */
const FRONTENDS = `${OWN_GROUP} :frontend_configurations`;
/** An atom or a module. */
const NAME = /^(:[\w.@?!-]+|[A-Z][\w.]*)$/;

/**
 * The live settings in the form of the configuration API (spec §4.1.9): groups of entries. Groups, keys and entries that
 * are no settings here are stored as they are, shown again, and named as unknown.
 */
@Injectable()
export class ConfigurationService {
  constructor(
    private readonly brand: Brand,
    private readonly settings: Settings,
    private readonly service: SettingsService,
  ) {}

  /**
   * All items.
   * @param onlyStored without defaults
   * @param names those of these groups and keys only, as {@link update} returns them
   */
  async items(onlyStored: boolean, names?: readonly string[]): Promise<ConfigurationItem[]> {
    this.service.requireDatabase();
    const foreign = new Map(
      (await this.service.stored()).filter(isForeign).map((item) => [`${item.group} ${item.key}`, item]),
    );
    const own = settingGroups.map((group) => this.ownItem(group, foreign.get(`${OWN_GROUP} ${group.key}`), onlyStored));
    const others = [...foreign.values()]
      .filter(({ group, key }) => group !== OWN_GROUP || !groupOf(key))
      .map(foreignItem);
    return [...own, ...others]
      .filter((item) => (!onlyStored || item.db) && (!names || names.includes(nameOf(item))))
      .map((item) => ({ ...item, group: this.branded(item.group), key: this.branded(item.key) }));
  }

  /**
   * Makes all changes in their order, or none.
   * @returns the groups and keys of the items without the brand, which may be changed too: `:svc :instance`
   * @throws Invalid names what cannot be stored
   */
  async update(changes: readonly ConfigurationChange[]): Promise<string[]> {
    const neutral = changes.map((change) => this.neutralNames(change));
    await this.service.revise((stored) => new Draft(this.settings, stored).changedBy(neutral));
    return unique(neutral.map(nameOf));
  }

  /** The name of a group and a key under the brand: `:acme :instance`. */
  nameFor(neutral: string): string {
    const { group, key } = partsOf(neutral);
    return nameOf({ group: this.branded(group), key: this.branded(key) });
  }

  /** The group and the key, as {@link nameFor} names them, of the item that contains a setting. */
  itemOf(path: string): string {
    const group = settingGroups.find(({ paths }) => [...paths.values()].some((each) => each === path));
    if (!group) throw new Error(`${path} is not a setting`);
    return this.nameFor(nameOf({ group: OWN_GROUP, key: group.key }));
  }

  /** The public settings of frontends by their names (`:frontend_configurations`). */
  async frontends(): Promise<Record<string, unknown>> {
    const stored = (await this.service.stored()).find((item) => nameOf(item) === FRONTENDS);
    const value = plainOf(stored?.value);
    return isPlainObject(value) ? { ...value } : {};
  }

  /** All settings with types and texts. */
  descriptions(): DescriptionsJson {
    this.service.requireDatabase();
    return describeSettings((name) => this.branded(name));
  }

  private ownItem(group: SettingGroup, rest: StoredItem | undefined, onlyStored: boolean): ConfigurationItem {
    const shown = [...group.paths].filter(([, path]) => !onlyStored || this.settings.isStored(path));
    const entries = shown.map(([name, path]) => [name, this.shown(path)] as const);
    const unknown = [...(keywordsOf(masked('', rest?.value)) ?? [])].filter(([name]) => !pathOf(group, name));
    const db = [...group.paths].flatMap(([name, path]) => (this.settings.isStored(path) ? [name] : []));
    const names = unknown.map(([name]) => name);
    db.push(...names);
    const value = keywordList([...entries, ...unknown]);
    const item = { group: OWN_GROUP, key: group.key, value, ...(db.length > 0 && { db }) };
    return names.length > 0 ? { ...item, unknown: names } : item;
  }

  private shown(path: SettingPath): Term {
    const value = this.settings.get(path);
    if (definitions[path].secret && value !== '') return MASK;
    return settingTerm(path, value, (name) => this.branded(name));
  }

  private neutralNames(change: ConfigurationChange): ConfigurationChange {
    const [group, key] = [this.neutral(change.group), this.neutral(change.key)];
    if (!NAME.test(group) || !isAtom(group))
      throw new Invalid(phrase('group must be an atom, as "{group}"', { group: OWN_GROUP }));
    if (!NAME.test(key)) throw new Invalid('key must be an atom or the name of a module');
    if (!change.delete && change.value === undefined)
      throw new Invalid(phrase('{field} is missing', { field: 'value' }));
    return { ...change, group, key };
  }

  /** A name under the brand of the server: `:svc` and `Svc.Captcha`. */
  private branded(name: string): string {
    if (name === OWN_GROUP) return `:${this.brand.word}`;
    return name.startsWith(MODULE) ? this.brandModule + name.slice(MODULE.length) : name;
  }

  private neutral(name: string): string {
    if (name === `:${this.brand.word}`) return OWN_GROUP;
    return name.startsWith(this.brandModule) ? MODULE + name.slice(this.brandModule.length) : name;
  }

  private get brandModule(): string {
    return `${this.brand.word.charAt(0).toUpperCase()}${this.brand.word.slice(1)}.`;
  }
}

/** The stored items while changes are applied to them one after the other. */
class Draft {
  private readonly values: Map<string, unknown>;

  constructor(
    private readonly settings: Settings,
    private readonly stored: readonly StoredItem[],
  ) {
    this.values = new Map(stored.map((item) => [nameOf(item), item.value]));
  }

  changedBy(changes: readonly ConfigurationChange[]): Revision {
    for (const change of changes) {
      const group = change.group === OWN_GROUP ? groupOf(change.key) : undefined;
      if (change.delete) this.remove(change, group);
      else if (group) this.putOwn(change, group);
      else this.putForeign(nameOf(change), change.value);
    }
    const before = new Map(this.stored.map((item) => [nameOf(item), item.value]));
    const put = [...this.values].filter(([name, value]) => !isDeepStrictEqual(before.get(name), value));
    return {
      put: put.map(([name, value]) => ({ ...partsOf(name), value })),
      remove: [...before.keys()].filter((name) => !this.values.has(name)).map(partsOf),
    };
  }

  private putOwn({ group, key, value }: ConfigurationChange, own: SettingGroup): void {
    const entries = keywordsOf(value) ?? (isPlainObject(value) ? Object.entries(value) : undefined);
    if (!entries) throw new Invalid(phrase('The value of {key} must be a list of tuples', { key }));
    for (const [given, term] of entries) {
      const name = given.startsWith(':') ? given : `:${given}`;
      const path = pathOf(own, name);
      if (path) this.putSetting(path, (current) => settingValue(path, current, term), term);
      else if (own.byHost) this.putHost(own, name, term);
      else this.putForeign(`${group} ${key}`, keywordList([[name, term]]));
    }
  }

  private putSetting(path: SettingPath, change: (current: unknown) => unknown, term?: Term): void {
    if (definitions[path].secret && term === MASK) return;
    const name = nameOf(splitPath(path));
    const own = this.values.has(name) ? [{ ...splitPath(path), value: this.values.get(name) }] : [];
    // Not the value in memory: an earlier change may have removed it, here or in another process.
    const current = this.settings.with(own).values[path];
    const value = change(current);
    const [kept = { value: current }] = own;
    if (!isDeepStrictEqual(value, kept.value)) this.values.set(name, value);
  }

  private putHost({ byHost }: SettingGroup, name: string, term: Term): void {
    const host = name.replace(/^:/, '');
    if (byHost) this.putSetting(byHost, (current) => withActorsOf(host, term, current));
  }

  private putForeign(name: string, value: Term): void {
    const old = this.values.get(name);
    const update = unmasked(value, old);
    const merged = REPLACED_KEYS.has(name) ? update : mergeTerms(old, update, new Set(REPLACED_ENTRIES[name]));
    this.values.set(name, merged);
  }

  private remove({ group, key, subkeys }: ConfigurationChange, own: SettingGroup | undefined): void {
    const isGone = (entry: string) => subkeys === undefined || subkeys.includes(entry);
    if (own) this.removeSettings(own, isGone, subkeys ?? []);
    const name = `${group} ${key}`;
    const remaining = subkeys && withoutEntries(this.values.get(name), isGone);
    if (remaining === undefined) this.values.delete(name);
    else this.values.set(name, remaining);
  }

  private removeSettings(own: SettingGroup, isGone: (entry: string) => boolean, subkeys: readonly string[]): void {
    for (const [entry, path] of [...own.paths, ...own.pathNames])
      if (isGone(entry)) this.values.delete(nameOf(splitPath(path)));
    for (const entry of subkeys) if (!pathOf(own, entry)) this.putHost(own, entry, []);
  }
}

const nameOf = ({ group, key }: { readonly group: string; readonly key: string }) => `${group} ${key}`;

function partsOf(name: string): { readonly group: string; readonly key: string } {
  const [group = '', key = ''] = name.split(' ');
  return { group, key };
}

/** The setting that an entry of a group is, by either of its names. */
const pathOf = ({ paths, pathNames }: SettingGroup, name: string) => paths.get(name) ?? pathNames.get(name);

const groupOf = (key: string) => settingGroups.find((group) => group.key === key);

/** Whether an item is no setting here; the groups of the API's own form are atoms. */
const isForeign = ({ group }: StoredItem) => isAtom(group);

function foreignItem({ group, key, value }: StoredItem): ConfigurationItem {
  const entries = keywordsOf(value);
  const db = entries?.size ? [...entries.keys()] : [key];
  const item = { group, key, value: masked(key, value), db };
  return nameOf(item) === FRONTENDS ? item : { ...item, unknown: db };
}
