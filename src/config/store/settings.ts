import { Injectable, Logger } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import {
  type SettingPath,
  settingPaths,
  type SettingPrefix,
  type SettingValue,
  type SettingValues,
} from '../definitions/definitions.js';
import { type SettingsSnapshot, snapshotOf, type StoredItem } from './snapshot.js';

interface Listener {
  readonly prefixes: readonly SettingPrefix[];
  readonly fn: () => void;
}

/**
 * The live settings of this process, in memory. Read a value where you use it and do not store it: it may change at any
 * time (docs/settings.md).
 */
@Injectable()
export class Settings {
  private readonly logger = new Logger(Settings.name);
  private readonly listeners = new Set<Listener>();
  private snapshot: SettingsSnapshot;
  /** The values of the start. */
  private first: SettingsSnapshot | undefined;

  /** @param starts values that hold in the place of defaults */
  constructor(private readonly starts: Partial<SettingValues> = {}) {
    this.snapshot = this.with([]);
  }

  /** All settings with these stored values. */
  with(items: readonly StoredItem[]): SettingsSnapshot {
    return snapshotOf(items, this.starts);
  }

  /** The current value: the stored one, else the default. */
  get<P extends SettingPath>(path: P): SettingValue<P> {
    return this.snapshot.values[path];
  }

  /** Whether a value is stored for the setting. */
  isStored(path: SettingPath): boolean {
    return this.snapshot.stored.has(path);
  }

  /**
   * Calls `fn` after each change of one of the settings, or of a setting of one of the groups, once the new values
   * apply. For state derived from settings; other code reads the value. Call the returned function to stop.
   */
  onChange(prefixes: readonly SettingPrefix[], fn: () => void): () => void {
    const listener = { prefixes, fn };
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Whether a setting that applies only after a restart has changed since the start. */
  get needRestart(): boolean {
    return this.first !== undefined && !isDeepStrictEqual(this.first.fixed, this.snapshot.fixed);
  }

  /** Swaps all values at once, then calls the listeners. */
  replace(snapshot: SettingsSnapshot): void {
    const before = this.snapshot.values;
    this.snapshot = snapshot;
    this.first ??= snapshot;
    const changed = settingPaths.filter((path) => !isDeepStrictEqual(before[path], snapshot.values[path]));
    for (const listener of [...this.listeners]) if (concerns(listener, changed)) this.call(listener);
  }

  /** Logs a listener's failure and goes on: the values apply already. */
  private call({ prefixes, fn }: Listener): void {
    try {
      fn();
    } catch (error) {
      this.logger.error({ err: error, prefixes }, 'A part of the server did not take over a changed setting');
    }
  }
}

function concerns({ prefixes }: Listener, changed: readonly SettingPath[]): boolean {
  return changed.some((path) => prefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}.`)));
}
