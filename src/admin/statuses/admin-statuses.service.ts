import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/index.js';
import { type ModeratedChanges, ModeratedStatusesService } from '../../statuses/index.js';
import { type Actor, ModerationLogService } from '../log/moderation-log.service.js';

/** What the staff does with statuses (spec §4.1.4). Each change adds an entry to the moderation log. */
@Injectable()
export class AdminStatusesService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly statuses: ModeratedStatusesService,
    private readonly log: ModerationLogService,
  ) {}

  /** Throws Invalid for another visibility, NotFound. */
  async change(actor: Actor, id: string, changes: ModeratedChanges): Promise<void> {
    await this.uow.run(async () => {
      await this.statuses.change(id, changes);
      await this.log.record(actor, 'status_update', { type: 'status', id }, { ...changes });
    });
  }

  /** Throws NotFound. */
  async delete(actor: Actor, id: string): Promise<void> {
    await this.uow.run(async () => {
      await this.statuses.delete(id);
      await this.log.record(actor, 'status_delete', { type: 'status', id });
    });
  }
}
