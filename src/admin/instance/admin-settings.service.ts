import { Injectable } from '@nestjs/common';
import { unique } from '../../common/index.js';
import { type Actor, ConfigurationService, type SettingChange, SettingsService } from '../../config/index.js';
import { UnitOfWork } from '../../platform/index.js';
import { ModerationLogService } from '../log/moderation-log.service.js';

/** Changes settings of groups such as `instance.*` and `frontends.*`, with the entries in the moderation log that the configuration API makes for them. */
@Injectable()
export class AdminSettingsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly settings: SettingsService,
    private readonly configuration: ConfigurationService,
    private readonly log: ModerationLogService,
  ) {}

  /** Stores all values, or none. @throws Invalid names each setting whose value is invalid, with the reason */
  async change(actor: Actor, changes: readonly SettingChange[]): Promise<void> {
    if (changes.length === 0) return;
    await this.uow.run(async () => {
      await this.settings.update(changes);
      const groups = unique(changes.map(({ path }) => `:svc :${path.slice(0, path.indexOf('.'))}`));
      const subjects = groups.map((group) => ({ type: 'config', id: this.configuration.nameFor(group) }));
      for (const subject of subjects) await this.log.record(actor, 'config_update', subject);
    });
    await this.settings.settled();
  }
}
