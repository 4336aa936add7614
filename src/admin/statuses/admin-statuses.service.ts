import { Injectable } from '@nestjs/common';
import { UsersService } from '../../accounts/index.js';
import { Forbidden, NotFound } from '../../common/index.js';
import { UnitOfWork } from '../../platform/index.js';
import { type ModeratedChanges, ModeratedStatusesService } from '../../statuses/index.js';
import { type Actor, ModerationLogService } from '../log/moderation-log.service.js';

/** The actions of the staff on statuses (spec §4.1.4). Each change adds an entry to the moderation log. */
@Injectable()
export class AdminStatusesService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly statuses: ModeratedStatusesService,
    private readonly users: UsersService,
    private readonly log: ModerationLogService,
  ) {}

  /** Throws Invalid for another visibility, NotFound, Forbidden. */
  async change(actor: Actor, id: string, changes: ModeratedChanges): Promise<void> {
    await this.uow.run(async () => {
      await this.requireRight(actor, id);
      await this.statuses.change(id, changes);
      await this.log.record(actor, 'status_update', { type: 'status', id }, { ...changes });
    });
  }

  /** Throws NotFound, Forbidden. */
  async delete(actor: Actor, id: string): Promise<void> {
    await this.uow.run(async () => {
      await this.requireRight(actor, id);
      await this.statuses.delete(id);
      await this.log.record(actor, 'status_delete', { type: 'status', id });
    });
  }

  /** A moderator changes nothing of an administrator (threat A7). */
  private async requireRight({ accountId }: Actor, statusId: string): Promise<void> {
    if (accountId === null || (await this.isAdmin(accountId))) return;
    const { entry_author_id: authorId } = await this.statuses.byId(statusId, undefined);
    if (await this.isAdmin(authorId)) throw new Forbidden('Only an administrator may change this');
  }

  /** Also for accounts of other servers, which have no roles. */
  private async isAdmin(accountId: string): Promise<boolean> {
    const facts = await this.users.facts(accountId).catch(unlessMissing);
    return facts?.isAdmin ?? false;
  }
}

function unlessMissing(error: unknown): undefined {
  if (!(error instanceof NotFound)) throw error;
}
