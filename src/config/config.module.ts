import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ConfigItem } from './config-item.entity.js';
import { ConfigRepository } from './config.repository.js';
import { FileLimitSettings } from './file-limit-settings.js';
import { PresentationSettings } from './presentation-settings.js';
import { RateLimitSettings } from './rate-limit-settings.js';
import { Settings } from './settings.js';
import { SettingsLoader } from './settings-loader.js';
import { SettingsService } from './settings.service.js';

/** The live settings, for every module above. Whoever gets {@link Settings} gets them filled. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([ConfigItem])],
  providers: [
    ConfigRepository,
    SettingsLoader,
    { provide: Settings, inject: [SettingsLoader], useFactory: (loader: SettingsLoader) => loader.start() },
    SettingsService,
    FileLimitSettings,
    PresentationSettings,
    RateLimitSettings,
  ],
  exports: [Settings, SettingsService],
})
export class ConfigModule {}
