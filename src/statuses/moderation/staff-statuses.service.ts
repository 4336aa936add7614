import { Injectable } from '@nestjs/common';
import { UsersService } from '../../accounts/index.js';
import { Forbidden, NotFound } from '../../common/index.js';
import { ModerationLog } from '../../config/index.js';
import { UnitOfWork } from '../../platform/index.js';
import { ModeratedStatusesService } from './moderated-statuses.service.js';

interface Actor {
  /** Null for the operator. */
  readonly accountId: string | null;
}

/** What the staff may do to posts of others (spec §4.1.4). */
@Injectable()
export class StaffStatusesService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly statuses: ModeratedStatusesService,
    private readonly users: UsersService,
    private readonly log: ModerationLog,
  ) {}

  /** Deletes a post with its media, and adds an entry to the moderation log. Throws NotFound, Forbidden. */
  async delete(actor: Actor, id: string): Promise<void> {
    await this.uow.run(async () => {
      await this.requireRight(actor, id);
      await this.statuses.delete(id);
      await this.log.record(actor, 'status_delete', [{ type: 'status', id }]);
    });
  }

  /** A moderator changes nothing of an administrator (threat A7). Throws Forbidden. */
  async requireRight({ accountId }: Actor, statusId: string): Promise<void> {
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
