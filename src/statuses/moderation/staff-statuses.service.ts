import { Injectable } from '@nestjs/common';
import { UsersService } from '../../accounts/index.js';
import { type Auth, Forbidden, ignoreNotFound } from '../../common/index.js';
import { type Actor, ModerationLog } from '../../config/index.js';
import { StaffRights } from '../../access/index.js';
import { UnitOfWork } from '../../platform/index.js';
import { StatusesService } from '../core/statuses.service.js';
import { ModeratedStatusesService } from './moderated-statuses.service.js';

/** The scopes of the administrative route that deletes posts. */
const SCOPES = ['admin:write:statuses'];

/** What the staff may do to posts of others (spec §4.1.4). */
@Injectable()
export class StaffStatusesService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly statuses: ModeratedStatusesService,
    private readonly users: UsersService,
    private readonly log: ModerationLog,
    private readonly rights: StaffRights,
    private readonly own: StatusesService,
  ) {}

  /** Whether the caller deletes a post as a member of the staff: it is not their own, and the token has the right. */
  async deletesAsStaff(auth: Auth, id: string): Promise<boolean> {
    if (auth.accountId === null || !this.rights.admitsWithToken(auth, SCOPES)) return false;
    return !(await this.own.isOwn(id, auth.accountId));
  }

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
    const { entryAuthorId: authorId } = await this.statuses.byId(statusId, undefined);
    if (await this.isAdmin(authorId)) throw new Forbidden('Only an administrator may change this');
  }

  /** Also for accounts of other servers, which have no roles. */
  private async isAdmin(accountId: string): Promise<boolean> {
    const facts = await this.users.facts(accountId).catch(ignoreNotFound);
    return facts?.isAdmin ?? false;
  }
}
