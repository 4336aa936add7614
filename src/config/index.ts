export { AnonymousAccess, type ListedProfiles } from './anonymous-access.js';
export { SETTINGS_CHANGED, SettingsChanged } from './store/config.events.js';
export { ConfigItem } from './store/config-item.entity.js';
export { ConfigModule } from './config.module.js';
export { MODERATOR_PRIVILEGES } from './definitions/definitions.instance.js';
export { type PolicyName, SIMPLE_LISTS } from './definitions/definitions.policies.js';
export { textPattern } from './definitions/text-patterns.js';
export {
  definitions,
  type SettingPath,
  settingPaths,
  type SettingPrefix,
  type SettingValue,
} from './definitions/definitions.js';
export { ConfigurationService } from './api/configuration.service.js';
export { type Actor, type LogWriter, ModerationLog } from './api/moderation-log.port.js';
export { ServerKey } from './keys/server-key.entity.js';
export { ServerKeyPairs } from './keys/server-key-pairs.js';
export { ServerRestart } from './api/server-restart.js';
export { Settings } from './store/settings.js';
export { type Confirmation, SettingsConfirmations } from './store/settings-confirmations.js';
export { ReferenceApps } from './reference-apps.js';
export { settingsDocument } from './definitions/settings-doc.js';
export { type SettingChange, type SettingReport, SettingsService } from './store/settings.service.js';
export { type VapidPair, VapidKeys } from './keys/vapid-keys.js';
export { hasEntry, type HostList, hostReasons, listsHost } from './definitions/host-lists.js';
