import { Inject, Injectable } from '@nestjs/common';
import { fieldPhrase, Invalid, joined, type Reason } from '../../common/index.js';
import { ENV, type Env, Events, UnitOfWork } from '../../platform/index.js';
import { SettingsChanged } from './config.events.js';
import { ConfigRepository } from './config.repository.js';
import {
  definitionOf,
  definitions,
  isSettingPath,
  type SettingPath,
  settingPaths,
  type SettingValues,
} from '../definitions/definitions.js';
import { splitPath } from '../definitions/setting.js';
import { Settings } from './settings.js';
import { SettingsLoader } from './settings-loader.js';
import { problemOf, type StoredItem } from './snapshot.js';

/** A new value for a setting. */
export interface SettingChange {
  readonly path: string;
  readonly value: unknown;
}

/** A setting as operators see it. */
export interface SettingReport {
  readonly path: SettingPath;
  readonly value: unknown;
  readonly default: unknown;
  /** Whether the value is stored; otherwise it is the default. */
  readonly stored: boolean;
}

/** Stands for a secret in all output; sent back, it changes nothing. */
export const MASK = '********';

/** The changes of the stored items. */
export interface Revision {
  readonly put: readonly StoredItem[];
  readonly remove: readonly Omit<StoredItem, 'value'>[];
}

/** Changes and shows the live settings. */
@Injectable()
export class SettingsService {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly repository: ConfigRepository,
    private readonly settings: Settings,
    private readonly loader: SettingsLoader,
    private readonly uow: UnitOfWork,
    private readonly events: Events,
  ) {}

  /**
   * Stores all new values, or none. They take effect everywhere after the commit; here as soon as this resolves, unless
   * the caller's own unit of work is still open. The last value for a path counts; {@link MASK} for a secret changes nothing.
   * @param changeId the name under which other processes confirm the change ({@link SettingsConfirmations})
   * @throws Invalid names each path that is unknown or whose value is invalid, with the reason
   */
  async update(changes: readonly SettingChange[], changeId?: string): Promise<void> {
    const values = new Map(changes.filter((change) => !isMasked(change)).map(({ path, value }) => [path, value]));
    refuse([...values].map(([path, value]) => [path, problemOf(path, value)]));
    await this.amend(() => [...values].map(([path, value]) => ({ path, value })), changeId);
  }

  /**
   * Changes settings from the values that are stored, as {@link update} does; no other change comes between.
   * @param changeId as for {@link update}
   * @throws Invalid names each setting whose value is invalid, with the reason
   */
  async amend(plan: (values: SettingValues) => readonly SettingChange[], changeId?: string): Promise<void> {
    await this.revise((stored) => {
      const changes = plan(this.settings.with(stored).values);
      return { put: changes.map(({ path, value }) => ({ ...splitPath(path), value })), remove: [] };
    }, changeId);
  }

  /**
   * Resets a setting to its default.
   * @param changeId as for {@link update}
   * @throws Invalid when there is no such setting
   */
  async reset(path: string, changeId?: string): Promise<void> {
    refuse([[path, Object.hasOwn(definitions, path) ? undefined : 'is not a setting']]);
    await this.revise(() => ({ put: [], remove: [splitPath(path)] }), changeId);
  }

  /**
   * Changes stored items, of settings and of keys that are no settings here, in one unit of work. No other change
   * happens between the reading of the items and their change.
   * @param plan makes the changes from the stored items, and may refuse them
   * @throws Invalid names each setting whose value is invalid, with the reason
   */
  async revise(plan: (stored: readonly StoredItem[]) => Revision, changeId?: string): Promise<void> {
    this.requireDatabase();
    await this.uow.run(async () => {
      await this.repository.lock();
      const { put, remove } = plan(await this.repository.all());
      const paths = [...put, ...remove].map(({ group, key }) => `${group}.${key}`);
      refuse(
        put.map(({ group, key, value }) => {
          const path = `${group}.${key}`;
          return [path, isSettingPath(path) ? problemOf(path, value) : undefined];
        }),
      );
      await this.repository.put(put);
      for (const { group, key } of remove) await this.repository.remove(group, key);
      this.events.emit(new SettingsChanged(paths, changeId));
    });
    await this.loader.settled();
  }

  /** Waits until this process follows every change that is committed. */
  settled(): Promise<void> {
    return this.loader.settled();
  }

  /** The stored items, also those that are no settings here. */
  stored(): Promise<StoredItem[]> {
    return this.repository.all();
  }

  /** Every setting with its default; secrets are masked. */
  dump(): SettingReport[] {
    const defaults = this.settings.with([]).values;
    return settingPaths.map((path) => ({
      path,
      value: definitions[path].secret && this.settings.get(path) !== '' ? MASK : this.settings.get(path),
      default: defaults[path],
      stored: this.settings.isStored(path),
    }));
  }

  /** @throws Invalid when settings come from the environment only (spec §7) */
  requireDatabase(): void {
    if (this.env.configFromDatabase) return;
    throw new Invalid('To use this endpoint you need to enable configuration from database.');
  }
}

const isMasked = ({ path, value }: SettingChange) => value === MASK && definitionOf(path)?.secret === true;

function refuse(problems: readonly (readonly [path: string, problem: Reason | undefined])[]): void {
  const found = problems.flatMap(([path, problem]) => (problem === undefined ? [] : [[path, problem] as const]));
  if (found.length === 0) return;
  const errors = Object.fromEntries(found.map(([path, problem]) => [path, String(problem)]));
  throw new Invalid(joined(found.map(([path, problem]) => fieldPhrase(path, problem))), { details: { errors } });
}
