/** Stored settings were changed. */
export class SettingsChanged {
  static readonly type = 'config.settings-changed';

  /** @param id names the change to an operator's command that waits until it is followed */
  constructor(
    readonly paths: readonly string[],
    readonly id?: string,
  ) {}
}

/** The message on {@link SETTINGS_CHANGED}; a change without an id needs no confirmation. */
export interface SettingsMessage {
  readonly id?: string;
}

/** The bus channel that makes every process read the settings again. */
export const SETTINGS_CHANGED = 'settings.changed';
