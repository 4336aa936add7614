import { Injectable } from '@nestjs/common';
import { unique } from '../../common/index.js';
import { type Actor, ConfigurationService, type SettingChange, SettingsService } from '../../config/index.js';
import { UnitOfWork } from '../../platform/index.js';
import { ModerationLogService } from '../log/moderation-log.service.js';

/** Changes settings with the entry in the moderation log that the configuration API makes for them. */
@Injectable()
export class AdminSettingsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly settings: SettingsService,
    private readonly configuration: ConfigurationService,
    private readonly log: ModerationLogService,
  ) {}

  /**
   * Stores all values, or none.
   * @param changeId as for {@link SettingsService.update}
   * @throws Invalid names each setting whose value is invalid, with the reason
   */
  async change(actor: Actor, changes: readonly SettingChange[], changeId?: string): Promise<void> {
    if (changes.length === 0) return;
    const paths = changes.map(({ path }) => path);
    await this.recorded(actor, paths, () => this.settings.update(changes, changeId));
  }

  /**
   * Resets a setting to its default.
   * @param changeId as for {@link SettingsService.update}
   * @throws Invalid when there is no such setting
   */
  async reset(actor: Actor, path: string, changeId?: string): Promise<void> {
    await this.recorded(actor, [path], () => this.settings.reset(path, changeId));
  }

  private async recorded(actor: Actor, paths: readonly string[], write: () => Promise<void>): Promise<void> {
    await this.uow.run(async () => {
      await write();
      const names = unique(paths.map((path) => this.configuration.itemOf(path)));
      const subjects = names.map((id) => ({ type: 'config', id }));
      await this.log.record(actor, 'config_update', subjects);
    });
    await this.settings.settled();
  }
}
