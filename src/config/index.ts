export { SETTINGS_CHANGED, SettingsChanged } from './config.events.js';
export { ConfigItem } from './config-item.entity.js';
export { ConfigModule } from './config.module.js';
export { definitions, type SettingPath, type SettingPrefix, type SettingValue } from './definitions.js';
export { ServerKey } from './server-key.entity.js';
export { Settings } from './settings.js';
export { settingsDocument } from './settings-doc.js';
export { type SettingChange, type SettingReport, SettingsService } from './settings.service.js';
export { type VapidPair, VapidKeys } from './vapid-keys.js';
