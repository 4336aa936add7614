import { Get, Post } from '@nestjs/common';
import { AdminApi, AdminOnly, Answers, Input, NothingShape } from '../../common/index.js';
import { ServerRestart } from './server-restart.js';
import { Settings } from '../store/settings.js';
import { SettingsService } from '../store/settings.service.js';
import { ConfigurationBody, ConfigurationQuery } from './configuration.dto.js';
import { type ConfigurationItem, ConfigurationService } from './configuration.service.js';
import {
  type ConfigurationJson,
  ConfigurationShape,
  type DescriptionsJson,
  DescriptionsShape,
  RestartShape,
} from './configuration.shape.js';

/** Live settings and the restart of the server (spec §4.1.9). */
@AdminApi('')
export class ConfigurationController {
  constructor(
    private readonly configuration: ConfigurationService,
    private readonly service: SettingsService,
    private readonly settings: Settings,
    private readonly server: ServerRestart,
  ) {}

  @Get('config')
  @AdminOnly('admin:read')
  @Answers(ConfigurationShape)
  async list(@Input(ConfigurationQuery) { only_db }: ConfigurationQuery): Promise<ConfigurationJson> {
    return this.answer(await this.configuration.items(only_db));
  }

  @Post('config')
  @AdminOnly('admin:write')
  @Answers(ConfigurationShape)
  async update(@Input(ConfigurationBody) { configs }: ConfigurationBody): Promise<ConfigurationJson> {
    return this.answer(await this.configuration.update(configs));
  }

  @Get('config/descriptions')
  @AdminOnly('admin:read')
  @Answers(DescriptionsShape)
  descriptions(): DescriptionsJson {
    return this.configuration.descriptions();
  }

  @Get('need_reboot')
  @AdminOnly('admin:read')
  @Answers(RestartShape)
  needReboot(): { need_reboot: boolean } {
    this.service.requireDatabase();
    return { need_reboot: this.settings.needRestart };
  }

  @Get('restart')
  @AdminOnly('admin:write')
  @Answers(NothingShape)
  restart(): object {
    this.service.requireDatabase();
    this.server.request();
    return {};
  }

  private answer(items: readonly ConfigurationItem[]): ConfigurationJson {
    const configs = items.map(({ db, ...item }) => ({ ...item, ...(db && { db: [...db] }) }));
    return { configs, need_reboot: this.settings.needRestart };
  }
}
