import { Injectable } from '@nestjs/common';
import { LOCAL, type Origin } from '../../accounts/index.js';
import { Unprocessable, translateForeignKeyViolation } from '../../common/index.js';
import { Settings } from '../../config/index.js';
import { Events, OwnerLocks, UnitOfWork } from '../../platform/index.js';
import type { PageRow } from '../model/page.sql.js';
import { type PinChoice, PinRepository } from './pin.repository.js';
import type { StatusRow } from '../core/status.repository.js';
import { StatusPinned, StatusUnpinned } from '../model/statuses.events.js';
import { StatusesService } from '../core/statuses.service.js';
import { ADDRESSED_ONLY } from '../model/visibility.js';

/** Pins of an account of another server, which has a limit of its own. */
const MOST_REMOTE = 100;

/** Manages pinned posts. Pinning does not change who may see a post. */
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
   * Pins a post; returns its id. All viewers see the time of the pin, so it is part of the body.
   * @throws NotFound for a status the account may not see; Unprocessable for posts of other accounts, for direct posts
   * and when the maximum is reached
   */
  async pin(id: string, accountId: string): Promise<string> {
    const status = await this.statuses.visible(id, accountId);
    checkMayPin(status, accountId);
    const unit = this.uow.run(async () => {
      await this.locks.lock('pins', accountId);
      const most = status.local ? this.settings.get('instance.max_pinned_statuses') : MOST_REMOTE;
      if (await this.repository.insert(accountId, status.id, most)) {
        this.events.emit(new StatusPinned(status.id, accountId, status.local, status.visibility));
        return this.statuses.refresh(status.id);
      }
      if (await this.repository.has(accountId, status.id)) return;
      await this.statuses.visible(status.id, accountId); // throws NotFound if it was deleted meanwhile
      throw new Unprocessable('You have already pinned the maximum number of statuses');
    });
    await translateForeignKeyViolation(unit);
    return status.id;
  }

  /** Returns the id of the post. */
  async unpin(id: string, accountId: string, origin: Origin = LOCAL): Promise<string> {
    const status = await this.statuses.requireRetractable(id, accountId, origin);
    await this.uow.run(async () => {
      if (!(await this.repository.remove(accountId, status.id))) return;
      this.events.emit(new StatusUnpinned(status.id, accountId, status.local, status.visibility));
      await this.statuses.refresh(status.id);
    });
    return status.id;
  }

  /** The author's pinned posts that match the choice and that the viewer may see. The latest pin first, on one page. */
  async ofAuthor(authorId: string, viewerId: string | undefined, choice: PinChoice): Promise<PageRow[]> {
    if (choice.reblogs === 'only') return []; // boosts cannot be pinned
    return this.repository.ofAuthor(authorId, viewerId ?? '', choice);
  }
}

function checkMayPin({ authorId, visibility }: StatusRow, accountId: string): void {
  if (authorId !== accountId) throw new Unprocessable("Someone else's status cannot be pinned");
  if (ADDRESSED_ONLY.includes(visibility)) throw new Unprocessable('Direct statuses cannot be pinned');
}
