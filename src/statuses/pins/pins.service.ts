import { Injectable } from '@nestjs/common';
import { Unprocessable } from '../../common/index.js';
import { Settings } from '../../config/index.js';
import { Events, OwnerLocks, UnitOfWork } from '../../platform/index.js';
import type { PageRow } from '../model/page.sql.js';
import { type PinChoice, PinRepository } from './pin.repository.js';
import type { StatusRow } from '../core/status.repository.js';
import { StatusPinned, StatusUnpinned } from '../model/statuses.events.js';
import { StatusesService } from '../core/statuses.service.js';
import { translateForeignKeyViolation } from '../model/vanished.js';
import { ADDRESSED_ONLY } from '../model/visibility.js';

/** What authors put at the top of their profiles: some of their posts, for those who may see them anyway. */
@Injectable()
export class PinsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly events: Events,
    private readonly locks: OwnerLocks,
    private readonly settings: Settings,
    private readonly statuses: StatusesService,
    private readonly repository: PinRepository,
  ) {}

  /**
   * Pins a post; answers its id. When it was pinned shows to everybody, so it is part of the body.
   * @throws NotFound for a status the account may not see; Unprocessable for posts of others, for direct ones and for one
   * too many
   */
  async pin(id: string, accountId: string): Promise<string> {
    const status = await this.statuses.visible(id, accountId);
    checkMayPin(status, accountId);
    const unit = this.uow.run(async () => {
      await this.locks.take('pins', accountId);
      const most = this.settings.get('instance.max_pinned_statuses');
      if (await this.repository.insert(accountId, status.id, most)) {
        this.events.emit(new StatusPinned(status.id, accountId, status.local, status.visibility));
        return this.statuses.refresh(status.id);
      }
      if (await this.repository.has(accountId, status.id)) return;
      await this.statuses.visible(status.id, accountId); // it may have been deleted meanwhile
      throw new Unprocessable('You have already pinned the maximum number of statuses');
    });
    await translateForeignKeyViolation(unit);
    return status.id;
  }

  /** Answers the id of the post. */
  async unpin(id: string, accountId: string): Promise<string> {
    const status = await this.statuses.visible(id, accountId);
    await this.uow.run(async () => {
      if (!(await this.repository.remove(accountId, status.id))) return;
      this.events.emit(new StatusUnpinned(status.id, accountId, status.local, status.visibility));
      await this.statuses.refresh(status.id);
    });
    return status.id;
  }

  /** What an author pinned, as far as the viewer may see it and asked for it; the latest pin first, without pages. */
  async ofAuthor(authorId: string, viewerId: string | undefined, choice: PinChoice): Promise<PageRow[]> {
    if (choice.boosts === 'only') return []; // nobody can pin a boost
    return this.repository.ofAuthor(authorId, viewerId ?? '', choice);
  }
}

function checkMayPin({ author_id: authorId, visibility }: StatusRow, accountId: string): void {
  if (authorId !== accountId) throw new Unprocessable("Someone else's status cannot be pinned");
  if (ADDRESSED_ONLY.includes(visibility)) throw new Unprocessable('Direct statuses cannot be pinned');
}
