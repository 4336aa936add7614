/** Stored settings were changed. */
export class SettingsChanged {
  static readonly type = 'config.settings-changed';

  /** @param id names the change to an operator's command that waits until it is followed */
  constructor(
    readonly paths: readonly string[],
    readonly id?: string,
  ) {}
}

/** What travels on {@link SETTINGS_CHANGED}; nobody waits for a change without an id. */
export interface SettingsMessage {
  readonly id?: string;
}

/** The bus channel on which every process hears that it should read the settings again. */
export const SETTINGS_CHANGED = 'settings.changed';
