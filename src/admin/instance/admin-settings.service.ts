import { Injectable } from '@nestjs/common';
import { type Actor, ConfigurationService, type SettingChange, SettingsService } from '../../config/index.js';
import { UnitOfWork } from '../../platform/index.js';
import { ModerationLogService } from '../log/moderation-log.service.js';

/** The group of the settings `instance.*` in the configuration API. */
const INSTANCE_GROUP = ':svc :instance';

/** Changes settings `instance.*` with the entry in the moderation log that the configuration API makes. */
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
      const subject = { type: 'config', id: this.configuration.nameFor(INSTANCE_GROUP) };
      await this.log.record(actor, 'config_update', subject);
    });
    await this.settings.settled();
  }
}
