import { Global, Module } from '@nestjs/common';
import { ConfigurationController } from './api/configuration.controller.js';
import { ConfigurationService } from './api/configuration.service.js';
import { AnonymousAccess } from './anonymous-access.js';
import { ConfigRepository } from './store/config.repository.js';
import { FileLimitSettings } from './file-limit-settings.js';
import { PresentationSettings } from './presentation-settings.js';
import { ReferenceApps } from './reference-apps.js';
import { RateLimitSettings } from './rate-limit-settings.js';
import { ModerationLog } from './api/moderation-log.port.js';
import { ServerRestart } from './api/server-restart.js';
import { ServerKeyPairs } from './keys/server-key-pairs.js';
import { ServerKeyRepository } from './keys/server-key.repository.js';
import { Settings } from './store/settings.js';
import { SettingsConfirmations } from './store/settings-confirmations.js';
import { SettingsJobs } from './store/settings.jobs.js';
import { SettingsLoader } from './store/settings-loader.js';
import { SettingsService } from './store/settings.service.js';
import { VapidKeys } from './keys/vapid-keys.js';

/**
 * The live settings and the server's own keys, for every module above. Injected {@link Settings} are filled already.
 */
@Global()
@Module({
  controllers: [ConfigurationController],
  providers: [
    AnonymousAccess,
    ConfigurationService,
    ServerRestart,
    ConfigRepository,
    ModerationLog,
    SettingsConfirmations,
    SettingsLoader,
    { provide: Settings, inject: [SettingsLoader], useFactory: (loader: SettingsLoader) => loader.start() },
    SettingsService,
    SettingsJobs,
    FileLimitSettings,
    PresentationSettings,
    ReferenceApps,
    RateLimitSettings,
    ServerKeyPairs,
    ServerKeyRepository,
    VapidKeys,
  ],
  exports: [
    AnonymousAccess,
    ConfigurationService,
    ModerationLog,
    ReferenceApps,
    ServerKeyPairs,
    ServerRestart,
    Settings,
    SettingsConfirmations,
    SettingsService,
    VapidKeys,
  ],
})
export class ConfigModule {}
