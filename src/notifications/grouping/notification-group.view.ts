import { Injectable } from '@nestjs/common';
import { partialAccount } from '../../accounts/index.js';
import { boundedRows, brandKey, cursorPage, Json, PagedObject, type PageQuery, unique } from '../../common/index.js';
import { Brand } from '../../platform/index.js';
import { type NotificationParts, NotificationView, type ReceiverContext } from '../reading/notification.view.js';
import type { GroupRow } from './notification-group.sql.js';

/** A row with its rendered group. */
interface Rendered {
  readonly row: GroupRow;
  readonly json: Json;
}

/** Renders groups, with the accounts and posts that they name beside them: any number costs as much as notifications. */
@Injectable()
export class NotificationGroupView {
  constructor(
    private readonly brand: Brand,
    private readonly notifications: NotificationView,
  ) {}

  /**
   * A page, in its order. Leaves out what was deleted since the page was read.
   * @param isPartial only the newest account of each group is rendered as a whole
   */
  async page(
    rows: readonly GroupRow[],
    query: Pick<PageQuery, 'min_id'>,
    context: ReceiverContext,
    isPartial: boolean,
  ): Promise<PagedObject> {
    const parts = await this.partsOf(rows, context);
    const bounded = boundedRows(rows, query.min_id, sizes(parts));
    const { cursors } = cursorPage(bounded.map((row) => ({ cursor: row.notificationId })));
    return new PagedObject(this.results(this.groups(bounded, parts, true), parts, isPartial), cursors);
  }

  async one(row: GroupRow, context: ReceiverContext): Promise<Json> {
    const parts = await this.partsOf([row], context);
    return this.results(this.groups([row], parts, false), parts, false);
  }

  private partsOf(rows: readonly GroupRow[], context: ReceiverContext): Promise<NotificationParts> {
    const samples = rows.flatMap(({ sampleAccountIds }) => sampleAccountIds);
    return this.notifications.parts(rows, context, samples);
  }

  private groups(rows: readonly GroupRow[], parts: NotificationParts, isPage: boolean): Rendered[] {
    return rows.flatMap((row) => {
      const about = this.notifications.about(row, parts);
      if (!about) return [];
      const page = {
        page_min_id: row.pageMinId,
        page_max_id: row.notificationId,
        latest_page_notification_at: row.createdAt,
      };
      const json = Json.object({
        group_key: row.groupKey,
        notifications_count: row.notificationsCount,
        type: brandKey(this.brand.word, row.type),
        most_recent_notification_id: Number(row.notificationId),
        ...(isPage ? page : {}),
        sample_account_ids: row.sampleAccountIds.filter((id) => parts.accounts.has(id)),
        ...(row.id === null ? {} : { status_id: row.id }),
        ...about,
      });
      return [{ row, json }];
    });
  }

  private results(groups: readonly Rendered[], { accounts, statuses }: NotificationParts, isPartial: boolean): Json {
    const whole = unique(groups.map(({ row }) => row.fromId));
    const named = unique(groups.flatMap(({ row }) => row.sampleAccountIds));
    const accountsOf = (ids: readonly string[]) => ids.flatMap((id) => accounts.get(id)?.value ?? []);
    return Json.object({
      accounts: accountsOf(isPartial ? whole : unique([...whole, ...named])),
      ...(isPartial
        ? { partial_accounts: accountsOf(named.filter((id) => !whole.includes(id))).map(partialAccount) }
        : {}),
      statuses: unique(groups.map(({ row }) => row.id)).flatMap((id) => statuses.get(id)?.value ?? []),
      notification_groups: groups.map(({ json }) => json),
    });
  }
}

/** The bytes that a group adds to a page: of the accounts and the post that no group before it has named. */
function sizes({ accounts, statuses }: NotificationParts): (row: GroupRow) => number {
  const counted = new Set<string>();
  return ({ id, fromId, sampleAccountIds: sampleIds }) => {
    const added = unique([id ?? '', fromId, ...sampleIds]).filter((each) => !counted.has(each));
    for (const each of added) counted.add(each);
    return added.reduce((sum, each) => sum + ((accounts.get(each) ?? statuses.get(each))?.value.size ?? 0), 0);
  };
}
