import { Injectable } from '@nestjs/common';
import { cursorPage, NotFound, type Page, type PageQuery } from '../../common/index.js';
import {
  bigintKeyset,
  Handles,
  isBigintId,
  job,
  Jobs,
  remainderOf,
  skipped,
  UnitOfWork,
  walkDown,
} from '../../platform/index.js';
import { NotificationsService, type UnreadChoice } from '../reading/notifications.service.js';
import { GROUPED_TYPES } from '../model/notification.types.js';
import {
  type GroupAccount,
  type GroupFilter,
  type GroupName,
  type GroupPart,
  NotificationGroupRepository,
} from './notification-group.repository.js';
import type { GroupRow } from './notification-group.sql.js';

/** Jobs of earlier versions do not say it: they are about those that are not filtered. */
type LeftPart = Omit<GroupPart, 'filtered'> & Partial<Pick<GroupPart, 'filtered'>>;

/** Removes the notifications of a part of a group. */
export const RemoveGroup = job<LeftPart>('notifications.remove-group', 'notify');

/** The groups to list; `groupedTypes` are the types that the app shows as groups. */
export interface GroupChoice extends UnreadChoice {
  readonly groupedTypes: readonly string[] | undefined;
  readonly withFiltered: boolean;
}

/** Lists and removes groups of notifications (reference). Responds with 404 to everyone but the receiver. */
@Injectable()
export class NotificationGroupsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly jobs: Jobs,
    private readonly groups: NotificationGroupRepository,
    private readonly notifications: NotificationsService,
  ) {}

  /** A page, newest first. */
  async page(receiverId: string, query: PageQuery, choice: GroupChoice): Promise<GroupRow[]> {
    return this.groups.page(receiverId, bigintKeyset(query), query.offset, await this.filterOf(receiverId, choice));
  }

  /** @throws NotFound */
  async one(receiverId: string, groupKey: string): Promise<GroupRow> {
    const group = await this.groups.one(receiverId, named(groupKey));
    if (!group) throw new NotFound();
    return group;
  }

  /**
   * A page of the accounts of a group, newest first.
   * @throws NotFound
   */
  async accounts(receiverId: string, groupKey: string, query: PageQuery): Promise<Page<GroupAccount>> {
    const name = named(groupKey);
    const accounts = await skipped(query, bigintKeyset(query), (keyset) =>
      this.groups.accounts(receiverId, name, keyset),
    );
    if (accounts.length === 0 && !(await this.groups.one(receiverId, name))) throw new NotFound();
    return cursorPage(accounts);
  }

  /** Counts groups with unread notifications that match the choice, up to `limit`. */
  async countUnread(receiverId: string, choice: GroupChoice, limit: number): Promise<number> {
    return this.groups.unread(receiverId, await this.filterOf(receiverId, choice), limit);
  }

  /**
   * Removes that part of a group that is shown by its key, with those in it that are hidden now; a job removes the
   * notifications that are too many for the request.
   * @throws NotFound
   */
  async dismiss(receiverId: string, groupKey: string): Promise<void> {
    const { by, name: key } = named(groupKey);
    if (by === 'id') return this.notifications.dismiss(receiverId, key);
    await this.uow.run(async () => {
      const part = await this.groups.part(receiverId, key);
      const removed = await this.groups.remove(part);
      if (removed.length === 0) throw new NotFound();
      const upTo = remainderOf(removed);
      if (upTo !== undefined) this.jobs.enqueue(RemoveGroup, { ...part, upTo });
    });
  }

  /** Removes what {@link dismiss} left. Safe to run twice. */
  @Handles(RemoveGroup)
  async removeRest({ filtered = false, ...part }: LeftPart): Promise<void> {
    await walkDown(part.upTo, (upTo) => this.groups.remove({ ...part, filtered, upTo }));
  }

  private async filterOf(
    receiverId: string,
    { groupedTypes, withFiltered, ...choice }: GroupChoice,
  ): Promise<GroupFilter> {
    const grouped = GROUPED_TYPES.filter((type) => groupedTypes?.includes(type) ?? true);
    return { ...(await this.notifications.filterOf(receiverId, choice)), grouped, withFiltered };
  }
}

/** A notification can be named alone also where its type is grouped otherwise. */
function named(groupKey: string): GroupName {
  const id = /^ungrouped-(\d+)$/.exec(groupKey)?.[1];
  return id !== undefined && isBigintId(id) ? { by: 'id', name: id } : { by: 'key', name: groupKey };
}
