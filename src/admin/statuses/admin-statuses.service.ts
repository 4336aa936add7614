import { Injectable } from '@nestjs/common';
import type { Actor } from '../../config/index.js';
import { UnitOfWork } from '../../platform/index.js';
import { type ModeratedChanges, ModeratedStatusesService, StaffStatusesService } from '../../statuses/index.js';
import { ModerationLogService } from '../log/moderation-log.service.js';

/** The actions of the staff on statuses (spec §4.1.4). Each change adds an entry to the moderation log. */
@Injectable()
export class AdminStatusesService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly statuses: ModeratedStatusesService,
    private readonly staff: StaffStatusesService,
    private readonly log: ModerationLogService,
  ) {}

  /** Throws Invalid for another visibility, NotFound, Forbidden. */
  async change(actor: Actor, id: string, changes: ModeratedChanges): Promise<void> {
    await this.uow.run(async () => {
      await this.staff.requireRight(actor, id);
      await this.statuses.change(id, changes);
      await this.log.record(actor, 'status_update', { type: 'status', id }, { ...changes });
    });
  }

  /** Throws NotFound, Forbidden. */
  delete(actor: Actor, id: string): Promise<void> {
    return this.staff.delete(actor, id);
  }
}
