import { Injectable } from '@nestjs/common';
import { AccountsService } from '../../accounts/index.js';
import { Invalid, NotFound, type PageQuery, unique } from '../../common/index.js';
import { BIGINT_LAST, bigintKeyset, Brand, isBigintId, UnitOfWork, walkSlices } from '../../platform/index.js';
import { HiddenStatusesService, Visibility, type VisibilityName } from '../../statuses/index.js';
import { MarkerRepository } from './marker.repository.js';
import { ReportBodies } from './report-bodies.port.js';
import type { NotificationRow } from './notification-page.sql.js';
import { NotificationRepository, type UnreadFilter } from './notification.repository.js';
import { LISTED_TYPES, notificationType, type NotificationType } from '../model/notification.types.js';

/** The options of the list. Names of types may be under the brand; unknown names are ignored. */
export interface NotificationChoice {
  readonly types: readonly string[] | undefined;
  readonly excludedTypes: readonly string[];
  readonly fromId: string | undefined;
  readonly excludedVisibilities: readonly VisibilityName[];
  readonly withMuted: boolean;
  /** Also those that the receiver's policy filters. */
  readonly withFiltered: boolean;
  /** True adds moves to the named types; false leaves them out unless they are named. */
  readonly withMoves: boolean | undefined;
}

/** The unread notifications to count. */
export type UnreadChoice = Pick<NotificationChoice, 'types' | 'excludedTypes' | 'fromId'>;

/** Maximum number of notifications returned after marking many as read (spec §8). */
const ANSWERED = 80;

/** Notifications whose posts are compared with filters at once. */
const JUDGED_AT_ONCE = 100;

/** Lists, reads and removes notifications (spec §4.2, §4.3). Responds with 404 to everyone but the receiver. */
@Injectable()
export class NotificationsService {
  constructor(
    private readonly brand: Brand,
    private readonly uow: UnitOfWork,
    private readonly accounts: AccountsService,
    private readonly notifications: NotificationRepository,
    private readonly markers: MarkerRepository,
    private readonly reports: ReportBodies,
    private readonly hidden: HiddenStatusesService,
  ) {}

  /**
   * A page of the list, newest first.
   * @throws NotFound when the choice names an unknown account
   */
  async page(receiverId: string, query: PageQuery, choice: NotificationChoice): Promise<NotificationRow[]> {
    return this.notifications.page(receiverId, bigintKeyset(query), query.offset, {
      ...(await this.filterOf(receiverId, choice)),
      excludedVisibilities: choice.excludedVisibilities.map((name) => Visibility[name]),
      withMuted: choice.withMuted,
      withFiltered: choice.withFiltered,
    });
  }

  /**
   * Marks a notification as read and moves the marker.
   * @throws NotFound
   */
  async read(receiverId: string, id: string): Promise<void> {
    if (!isBigintId(id)) throw new NotFound();
    await this.uow.run(async () => {
      if (!(await this.notifications.read(receiverId, id))) throw new NotFound();
      await this.markers.advance(receiverId, id);
    });
  }

  /**
   * Marks all notifications up to an id as read and moves the marker; returns the first 80 ids of those that were
   * unread.
   * @throws Invalid for an invalid id
   */
  async readUpTo(receiverId: string, id: string): Promise<string[]> {
    if (!isBigintId(id)) throw new Invalid('max_id must be the id of a notification');
    const ids = await this.uow.run(async () => {
      const [read] = await Promise.all([
        this.notifications.readUpTo(receiverId, id),
        this.markers.advance(receiverId, id),
      ]);
      return read;
    });
    await this.notifications.readRest(receiverId, ids);
    return ids.slice(0, ANSWERED);
  }

  /**
   * Marks unread notifications as read whose posts the receiver's filters hide by now: the list leaves them out, and a count
   * that judged their texts would be dear. Safe to run twice.
   */
  async readHidden(receiverId: string): Promise<void> {
    await walkSlices(BIGINT_LAST, async (below) => {
      const rows = await this.notifications.unreadAbout(receiverId, below, JUDGED_AT_ONCE);
      const statusIds = unique(rows.map(({ statusId }) => statusId));
      const hidden = await this.hidden.among(receiverId, statusIds, 'notifications');
      const ids = rows.filter(({ statusId }) => hidden.has(statusId)).map(({ id }) => id);
      await this.notifications.readThose(receiverId, ids);
      return rows.length < JUDGED_AT_ONCE ? undefined : rows.at(-1)?.id;
    });
  }

  /** The same after an edit of a post, for those whose filters hide its new text. Safe to run twice. */
  async readHiddenAbout(statusId: string): Promise<void> {
    await walkSlices('', async (after) => {
      const found = await this.notifications.receiversOf(statusId, after, JUDGED_AT_ONCE);
      const receivers = found.map(({ receiverId }) => receiverId);
      const hidden = await this.hidden.from(receivers, statusId, 'notifications');
      for (const { receiverId, ids } of found)
        if (hidden.has(receiverId)) await this.notifications.readThose(receiverId, ids);
      return found.length < JUDGED_AT_ONCE ? undefined : receivers.at(-1);
    });
  }

  /** @throws NotFound */
  async dismiss(receiverId: string, id: string): Promise<void> {
    if (!isBigintId(id) || (await this.notifications.remove(receiverId, [id])) === 0) throw new NotFound();
  }

  /** Ignores ids of other receivers' notifications. */
  async dismissMany(receiverId: string, ids: readonly string[]): Promise<void> {
    await this.notifications.remove(receiverId, ids.filter(isBigintId));
  }

  async clear(receiverId: string): Promise<void> {
    await this.notifications.clear(receiverId);
  }

  /** Counts the unread notifications that the list shows, and the chats with unread messages. */
  unread(receiverId: string): Promise<{ notifications: number; chats: number }> {
    return this.notifications.unreadWithChats(receiverId);
  }

  /**
   * Counts the unread notifications that match the choice, up to `limit`.
   * @throws NotFound when the choice names an unknown account
   */
  async countUnread(receiverId: string, choice: UnreadChoice, limit: number): Promise<number> {
    return this.notifications.unread(receiverId, await this.filterOf(receiverId, choice), limit);
  }

  /**
   * Builds the filter of a choice, of lists and of counts: reports are in it only for those who may read them now. A
   * deactivated account matches nothing.
   * @throws NotFound when the choice names an unknown account
   */
  async filterOf(receiverId: string, choice: UnreadChoice & Partial<NotificationChoice>): Promise<UnreadFilter> {
    const { fromId = null } = choice;
    if (fromId !== null && !(await this.accounts.byId(fromId))) throw new NotFound('Account is not found');
    const types = this.typesOf(choice);
    if (!types.includes('svc:report') || (await this.reports.isReader(receiverId))) return { types, fromId };
    return { types: types.filter((type) => type !== 'svc:report'), fromId };
  }

  private typesOf({ types, excludedTypes, withMoves }: UnreadChoice & Partial<NotificationChoice>): NotificationType[] {
    const known = (names: readonly string[]) => unique(names.map((name) => notificationType(this.brand.word, name)));
    const excluded = new Set(known(excludedTypes));
    if (withMoves === false && !types) excluded.add('move');
    const wanted: readonly NotificationType[] = types ? known(types) : LISTED_TYPES;
    return unique(withMoves ? [...wanted, 'move' as const] : wanted).filter((type) => !excluded.has(type));
  }
}
