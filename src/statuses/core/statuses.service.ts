import { Injectable } from '@nestjs/common';
import { isLocal, LOCAL, type Origin } from '../../accounts/index.js';
import { Forbidden, NotFound } from '../../common/index.js';
import { AnonymousAccess } from '../../config/index.js';
import { AttachmentsService } from '../../media/index.js';
import { DAILY, Events, Handles, Recurs, UnitOfWork } from '../../platform/index.js';
import { ConversationRepository } from '../conversations/conversation.repository.js';
import { GradualRemovalService } from './gradual-removal.service.js';
import { ExpireStatus } from '../model/expiry.js';
import { hasMedia, RemovedStatuses } from '../counters/removed-statuses.js';
import { StatusCounters } from '../counters/status.counters.js';
import type { RemovedEntry } from '../model/removed-status.js';
import { countsAsReblog, StatusFlag } from '../model/status.flags.js';
import {
  type DeletionOptions,
  type DeletedRow,
  type RemovedParts,
  type SourceRow,
  StatusRepository,
  type StatusRow,
} from './status.repository.js';
import { ConversationChanged, type StatusAction, StatusDeleted } from '../model/statuses.events.js';
import { DIRECT, LOCAL_ONLY } from '../model/visibility.js';

type ActedOn = Pick<StatusRow, 'id' | 'authorId' | 'local'>;

/** Maximum number of boosters in an event, which keeps it small. */
export const NOTIFIED_REBLOGGERS = 1_000;

/** Number of days that the URI of a deleted status returns 410. */
const TOMBSTONE_DAYS = 365;

/** What became of a favourite or reaction that an account takes from a post. */
export interface Removal {
  readonly statusId: string;
  /** False when there was none. */
  readonly removed: boolean;
}

/** The parts of a status that were deleted with it. */
interface RemovedRows extends RemovedParts {
  /** The boosts: all of them, none for a popular post. */
  readonly reblogs: readonly RemovedEntry[];
  /** Accounts that boosted it, up to {@link NOTIFIED_REBLOGGERS}. */
  readonly boosterIds: readonly string[];
}

/** Reads single statuses, and deletes them. */
@Injectable()
export class StatusesService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly events: Events,
    private readonly repository: StatusRepository,
    private readonly counters: StatusCounters,
    private readonly removed: RemovedStatuses,
    private readonly attachments: AttachmentsService,
    private readonly conversations: ConversationRepository,
    private readonly anonymous: AnonymousAccess,
    private readonly gradual: GradualRemovalService,
  ) {}

  /**
   * The post, or for a boost the boosted post.
   * @throws NotFound also when the viewer may not see it
   */
  async visible(id: string, viewerId?: string): Promise<StatusRow> {
    const status = await this.repository.visible(id, viewerId ?? '');
    if (!status || (!viewerId && this.anonymous.refusesStatus(status.local))) throw new NotFound();
    return status;
  }

  /**
   * A post that the account wants to reply to, boost or favourite. Returns no local-only posts to remote accounts.
   * @throws NotFound when the account may not see it, Forbidden when its author blocks the account or is blocked by it
   */
  async requireInteractable(id: string, accountId: string, origin: Origin = LOCAL): Promise<StatusRow> {
    const status = await this.visible(id, accountId);
    if (!isLocal(origin) && LOCAL_ONLY.includes(status.visibility)) throw new NotFound();
    if (status.isBlocked) throw new Forbidden();
    return status;
  }

  /**
   * A post from which the account takes back a favourite, a reaction or a pin. Other servers may do that for every stored
   * post: its author may be deactivated meanwhile, or hide it from the account.
   * @throws NotFound
   */
  async requireRetractable(id: string, accountId: string, origin: Origin): Promise<StatusRow> {
    if (isLocal(origin)) return this.visible(id, accountId);
    const status = await this.repository.byId(id);
    if (!status) throw new NotFound();
    return status;
  }

  /**
   * The source text of a post.
   * @throws NotFound unless the account is the author
   */
  async source(id: string, authorId: string): Promise<SourceRow> {
    const source = await this.repository.source(id, authorId);
    if (!source) throw new NotFound();
    return source;
  }

  /** Whether a post or boost is the account's own. */
  async isOwn(id: string, accountId: string): Promise<boolean> {
    return (await this.repository.source(id, accountId)) !== undefined;
  }

  /**
   * Deletes a post or removes a boost. Unless `removesMedia` is set, the author may reuse the attachments for a day, to
   * write the post again.
   * @throws NotFound unless the account is the author
   */
  async delete(
    id: string,
    authorId: string,
    { removesMedia = false, ...options }: DeletionOptions & { readonly removesMedia?: boolean } = {},
  ): Promise<void> {
    await this.uow.run(async () => {
      const status = await this.repository.lockOwn(id, authorId);
      if (!status) throw new NotFound();
      if (hasMedia(status) && !removesMedia) await this.attachments.release(status.id);
      await this.remove(status, options);
    });
  }

  /** Deletes an expired status. Does nothing when it no longer exists, or when its expiry was changed. */
  @Handles(ExpireStatus)
  async expire({ statusId }: { statusId: string }): Promise<void> {
    await this.uow.run(async () => {
      const status = await this.repository.lockExpired(statusId);
      if (status) await this.remove(status);
    });
  }

  /** Replaces cached bodies of a post after a change of one of its attachments. */
  async refresh(id: string): Promise<void> {
    await this.repository.raiseVersion(id);
  }

  /** Removes the account's boost of a post, if there is one. */
  async removeReblog(statusId: string, accountId: string): Promise<boolean> {
    return this.uow.run(async () => {
      const reblog = await this.repository.lockReblog(statusId, accountId);
      if (reblog) await this.remove(reblog);
      return reblog !== undefined;
    });
  }

  @Recurs({ job: 'statuses.purge-tombstones', everyMinutes: DAILY })
  async purgeTombstones(): Promise<void> {
    await this.repository.purgeTombstones(TOMBSTONE_DAYS);
  }

  /** Deletes a locked status and updates the counters. */
  private async remove(status: DeletedRow, options: DeletionOptions = {}): Promise<void> {
    await this.removed.removeBelongings([status]);
    const conversations = DIRECT.includes(status.visibility) ? await this.conversations.leave(status.id) : [];
    const [{ addressedIds, tagIds, reblogs, boosterIds }] = await Promise.all([
      this.removeRows(status),
      this.repository.insertTombstone(status, options),
    ]);
    this.removed.uncount([status], [status, ...reblogs]);
    if (status.reblogOfId !== null && countsAsReblog(status)) this.counters.add(status.reblogOfId, 'reblogs', -1);
    // Not jobs: `remove` of the repository and foreign keys removed what belongs to the post (boosts, favourites, its poll,
    // notifications), unless it is popular, and a trigger has servers forget pages and entries with it (ADR 25). Jobs of the
    // event follow: home feeds, streams, other servers.
    this.events.emit(
      new StatusDeleted({
        statusId: status.id,
        authorId: status.authorId,
        uri: status.uri,
        local: status.local,
        visibility: status.visibility,
        reblogOfId: status.reblogOfId,
        addressedIds,
        groupId: status.groupId,
        tagIds,
        boosterIds,
        threadAuthorIds: status.threadAuthorIds,
        endedQuoteUri: status.endedQuoteUri,
        wasPublic: (status.flags & StatusFlag.wasPublic) !== 0,
      }),
    );
    for (const { id, ownerId } of conversations) this.events.emit(new ConversationChanged(id, ownerId));
  }

  /** Deletes the rows of a status, or begins to. */
  private async removeRows(status: DeletedRow): Promise<RemovedRows> {
    if (status.isPopular) {
      const [boosterIds, parts] = await Promise.all([
        this.repository.rebloggers(status.id, NOTIFIED_REBLOGGERS),
        this.gradual.begin(status),
      ]);
      return { ...parts, reblogs: [], boosterIds };
    }
    const parts = await this.repository.remove(status);
    return { ...parts, boosterIds: parts.reblogs.slice(0, NOTIFIED_REBLOGGERS).map(({ authorId }) => authorId) };
  }
}

/** The facts of an action on a status, for its event. */
export function actionOn({ id, authorId, local }: ActedOn, accountId: string, origin: Origin): StatusAction {
  return { statusId: id, accountId, authorId, actorLocal: isLocal(origin), targetLocal: local };
}
