/** Stored settings were changed. */
export class SettingsChanged {
  static readonly type = 'config.settings-changed';

  constructor(readonly paths: readonly string[]) {}
}

/** The bus channel on which every process hears that it should read the settings again. */
export const SETTINGS_CHANGED = 'settings.changed';
