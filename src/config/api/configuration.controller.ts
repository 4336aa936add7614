import { Get, Post } from '@nestjs/common';
import {
  AdminApi,
  AdminOnly,
  Answers,
  type Auth,
  CurrentAuth,
  Input,
  NothingShape,
  Summary,
} from '../../common/index.js';
import { UnitOfWork } from '../../platform/index.js';
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
import { ModerationLog } from './moderation-log.port.js';
import { ServerRestart } from './server-restart.js';

/** Live settings and the restart of the server (spec §4.1.9). */
@AdminApi('')
export class ConfigurationController {
  constructor(
    private readonly configuration: ConfigurationService,
    private readonly service: SettingsService,
    private readonly settings: Settings,
    private readonly server: ServerRestart,
    private readonly uow: UnitOfWork,
    private readonly log: ModerationLog,
  ) {}

  @Summary('Lists the live settings with their values.')
  @Get('config')
  @AdminOnly('admin:read')
  @Answers(ConfigurationShape)
  async list(@Input(ConfigurationQuery) { only_db }: ConfigurationQuery): Promise<ConfigurationJson> {
    return this.answer(await this.configuration.items(only_db));
  }

  @Summary('Changes or resets live settings: all of them or none.')
  @Post('config')
  @AdminOnly('admin:write')
  @Answers(ConfigurationShape)
  async update(
    @CurrentAuth() actor: Auth,
    @Input(ConfigurationBody) { configs }: ConfigurationBody,
  ): Promise<ConfigurationJson> {
    const names = await this.uow.run(async () => {
      const changed = await this.configuration.update(configs);
      const subjects = changed.map((name) => ({ type: 'config', id: this.configuration.nameFor(name) }));
      if (changed.length > 0) await this.log.record(actor, 'config_update', subjects);
      return changed;
    });
    await this.service.settled();
    return this.answer(await this.configuration.items(false, names));
  }

  @Summary('Describes every live setting: its type, its default and what it does.')
  @Get('config/descriptions')
  @AdminOnly('admin:read')
  @Answers(DescriptionsShape)
  descriptions(): DescriptionsJson {
    return this.configuration.descriptions();
  }

  @Summary('Shows whether a changed setting waits for a restart.')
  @Get('need_reboot')
  @AdminOnly('admin:read')
  @Answers(RestartShape)
  needReboot(): { need_reboot: boolean } {
    this.service.requireDatabase();
    return { need_reboot: this.settings.needRestart };
  }

  @Summary('Restarts the server.')
  @Get('restart')
  @AdminOnly('admin:write')
  @Answers(NothingShape)
  async restart(@CurrentAuth() actor: Auth): Promise<object> {
    this.service.requireDatabase();
    await this.uow.run(() => this.log.record(actor, 'restart', []));
    this.server.request();
    return {};
  }

  private answer(items: readonly ConfigurationItem[]): ConfigurationJson {
    const configs = items.map(({ db, unknown, ...item }) => ({
      ...item,
      ...(db && { db: [...db] }),
      ...(unknown && { unknown: [...unknown] }),
    }));
    return { configs, need_reboot: this.settings.needRestart };
  }
}
