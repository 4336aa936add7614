import { Injectable } from '@nestjs/common';
import { type Actor, SettingsService } from '../../config/index.js';
import { type HostBlock, HostBlocksService } from '../../federation/index.js';
import { UnitOfWork } from '../../platform/index.js';
import { ModerationLogService } from '../log/moderation-log.service.js';

/** Blocks of other servers by the staff. Each change adds an entry to the moderation log. */
@Injectable()
export class HostModerationService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly blocks: HostBlocksService,
    private readonly settings: SettingsService,
    private readonly log: ModerationLogService,
  ) {}

  /** Adds a host to lists; returns the lists that lacked it. @throws Invalid for what is no host, and for this server */
  add(actor: Actor, block: HostBlock): Promise<readonly HostBlock[]> {
    return this.recorded(actor, 'host_block', () => this.blocks.add([block]));
  }

  /** Adds the entries of a block list; returns those that were missing. @throws Invalid with the problems, a line each */
  import(actor: Actor, text: string): Promise<readonly HostBlock[]> {
    return this.recorded(actor, 'host_block', () => this.blocks.import(text));
  }

  /** Takes a host off all lists. */
  async remove(actor: Actor, host: string): Promise<void> {
    await this.recorded(actor, 'host_unblock', async () => ((await this.blocks.remove(host)) ? [{ host }] : []));
  }

  private async recorded<T extends { readonly host: string }>(
    actor: Actor,
    action: 'host_block' | 'host_unblock',
    change: () => Promise<readonly T[]>,
  ): Promise<readonly T[]> {
    const result = await this.uow.run(async () => {
      const changed = await change();
      const subjects = changed.map(({ host }) => ({ type: 'instance', id: host }));
      if (changed.length > 0) await this.log.record(actor, action, subjects);
      return changed;
    });
    await this.settings.settled();
    return result;
  }
}
