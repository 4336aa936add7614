import { Injectable } from '@nestjs/common';
import { AccountView, notificationsOf, relationsOf, type ViewContext } from '../../accounts/index.js';
import { ChatsService, ChatView } from '../../chats/index.js';
import { boundedPage, brandKey, Json, keyBy, NotFound, type Page, type PageQuery, unique } from '../../common/index.js';
import { EmojiCache, spokenReaction } from '../../emoji/index.js';
import { MediaUrls } from '../../media/index.js';
import { Brand, isBigintId, type ReadCache, ReadCaches, type Reading, valuesOf } from '../../platform/index.js';
import { type PageRow, StatusView } from '../../statuses/index.js';
import { ReportBodies } from './report-bodies.port.js';
import type { NotificationRow } from './notification-page.sql.js';
import { NotificationRepository } from './notification.repository.js';
import type { NotificationJson } from './notification.shape.js';

/** What notifications show, by id. */
export interface NotificationParts {
  readonly accounts: ReadonlyMap<string, Reading<Json>>;
  readonly statuses: ReadonlyMap<string, Reading<Json>>;
  readonly reports: ReadonlyMap<string, Json>;
  readonly messages: ReadonlyMap<string, Json>;
}

/** The fields of a notification besides its post; absent where it has none. */
type About = Readonly<Record<string, Json | string | null | undefined>>;

/** The receiver as the viewer. Reactions of muted accounts are left out of posts. */
export type ReceiverContext = Omit<ViewContext, 'withMuted'> & { readonly viewerId: string };

const PAGES_BYTES = 3 * 1024 * 1024;

/**
 * Renders notifications (spec §2.4). Besides their own statement, any number of notifications cost three statements,
 * sent together: the actors, the accounts of the statuses, and the receiver's state of the statuses. Statements for
 * what the caches lack are sent in the same round trip. A cached page costs none (docs/adr/0025).
 */
@Injectable()
export class NotificationView {
  private readonly pages: ReadCache<Page<Json>>;

  constructor(
    private readonly brand: Brand,
    private readonly repository: NotificationRepository,
    private readonly accounts: AccountView,
    private readonly statuses: StatusView,
    private readonly reports: ReportBodies,
    private readonly chats: ChatsService,
    private readonly chatView: ChatView,
    private readonly emoji: EmojiCache,
    private readonly urls: MediaUrls,
    caches: ReadCaches,
  ) {
    const sizeOf = ({ items }: Page<Json>) => items.reduce((sum, item) => sum + item.size, 0);
    this.pages = caches.create('notification_pages', PAGES_BYTES, sizeOf);
  }

  /** Renders the receiver's notifications that may be shown, newest first; from muted accounts only `withMuted`. */
  async many(ids: readonly string[], context: ReceiverContext, withMuted = false): Promise<Json[]> {
    return [...(await this.byIds(ids, context, withMuted)).values()];
  }

  /** {@link many} as objects, for pushes, which show parts of them. */
  async objects(ids: readonly string[], context: ReceiverContext): Promise<NotificationJson[]> {
    // Rendered notifications are made of cached bytes: to parse them costs less than to read their rows again (ADR 25).
    return (await this.many(ids, context)).map((json) => json.parse() as NotificationJson);
  }

  /** Like {@link many}, by id. */
  async byIds(ids: readonly string[], context: ReceiverContext, withMuted = false): Promise<Map<string, Json>> {
    const wanted = ids.filter(isBigintId);
    if (wanted.length === 0) return new Map();
    return valuesOf(await this.rendered(await this.repository.byIds(context.viewerId, wanted, withMuted), context));
  }

  /**
   * Renders one notification, also from a muted account.
   * @throws NotFound unless the viewer is its receiver and may see it
   */
  async one(id: string, context: ReceiverContext): Promise<Json> {
    const [notification] = await this.many([id], context, true);
    if (!notification) throw new NotFound();
    return notification;
  }

  /**
   * A page, in its order, for a receiver who may have asked for muted accounts too. Leaves out what was deleted since the
   * page was read.
   * @param choice all besides the query that tells it from other pages of the receiver
   * @param find reads its rows
   */
  async page(
    query: PageQuery,
    choice: object,
    context: ReceiverContext & ViewContext,
    find: () => Promise<NotificationRow[]>,
  ): Promise<Page<Json>> {
    const { viewerId } = context;
    return this.pages.find(JSON.stringify([context, query, choice]), async () => {
      const rows = await find();
      const rendered = await this.rendered(rows, context);
      const readings = [...rendered.values()];
      const items = new Map([...rendered].map(([id, { value }]) => [id, value.packed()]));
      const cursorOf = (row: NotificationRow) => row.notificationId;
      const subjects = [notificationsOf(viewerId), relationsOf(viewerId), ...rows.flatMap(subjectsOf)];
      return {
        value: boundedPage(rows, query, { cursorOf, itemOf: (row) => items.get(cursorOf(row)) }),
        subjects: unique([...subjects, ...readings.flatMap((reading) => reading.subjects)]),
        endsAt: Math.min(...readings.map(({ endsAt = Infinity }) => endsAt), ...rows.map(endOf)),
        oldAt: Math.min(...readings.map(({ oldAt = Infinity }) => oldAt)),
      };
    });
  }

  /** Reads what the rows show, and further accounts. */
  async parts(
    rows: readonly NotificationRow[],
    context: ReceiverContext & ViewContext,
    accountIds: readonly string[] = [],
  ): Promise<NotificationParts> {
    const statusRows = keyBy(rows.filter(isAboutStatus), ({ id }) => id);
    const ids = unique([...rows.flatMap(({ fromId, targetId }) => [fromId, targetId]), ...accountIds]);
    const [accounts, statuses, reports, messages] = await Promise.all([
      this.accounts.read(ids, context),
      this.statuses.readById([...statusRows.values()], { ...context, place: 'notifications' }),
      this.reports.many(unique(rows.flatMap(({ reportId }) => reportId ?? [])), context),
      this.messages(rows, context),
    ]);
    return { accounts, statuses, reports, messages };
  }

  /** The fields of a row besides its post; undefined when its account or its subject is gone. */
  about(row: NotificationRow, { accounts, statuses, reports, messages }: NotificationParts): About | undefined {
    const about = {
      report: viewOf(row.reportId, reports),
      target: row.targetId === null ? undefined : (accounts.get(row.targetId)?.value ?? null),
      chat_message: viewOf(row.chatMessageId, messages),
    };
    const isWhole = accounts.has(row.fromId) && (row.id === null || statuses.has(row.id));
    if (!isWhole || Object.values(about).includes(null)) return undefined;
    return row.emoji === null ? about : { ...about, ...this.reaction(row.emoji, row.emojiUrl) };
  }

  private async rendered(
    rows: readonly NotificationRow[],
    context: ReceiverContext & ViewContext,
  ): Promise<Map<string, Reading<Json>>> {
    const parts = await this.parts(rows, context);
    const whole = rows.flatMap((row): [string, Reading<Json>][] => {
      const [account, status] = [parts.accounts.get(row.fromId), parts.statuses.get(row.id ?? '')];
      const about = this.about(row, parts);
      if (!account || !about) return [];
      const subjects = [account, parts.accounts.get(row.targetId ?? ''), status].flatMap(
        (part) => part?.subjects ?? [],
      );
      const value = this.notification(row, { account: account.value, status: status?.value, ...about });
      return [[row.notificationId, { value, subjects, endsAt: status?.endsAt, oldAt: status?.oldAt }]];
    });
    return new Map(whole);
  }

  /** The chat messages by id; costs no statement when there are none. */
  private async messages(rows: readonly NotificationRow[], { viewerId }: ReceiverContext): Promise<Map<string, Json>> {
    const ids = rows.flatMap(({ chatMessageId }) => chatMessageId ?? []);
    const messages = ids.length === 0 ? [] : await this.chats.received(viewerId, ids);
    return new Map(messages.map((message) => [message.messageId, this.chatView.message(message)]));
  }

  private notification(row: NotificationRow, fields: About): Json {
    const { word } = this.brand;
    return Json.object({
      id: row.notificationId,
      type: brandKey(word, row.type),
      created_at: row.createdAt,
      group_key: row.groupKey,
      ...fields,
      [word]: { is_seen: row.seen, is_muted: row.muted },
    });
  }

  private reaction(name: string, url: string | null): Pick<NotificationJson, 'emoji' | 'emoji_url'> {
    return { emoji: spokenReaction(name), emoji_url: url === null ? this.emoji.urlOf(name) : this.urls.remote(url) };
  }
}

/** The rendered subject of a notification: undefined when it has none, null when the subject was deleted. */
function viewOf(id: string | null, views: ReadonlyMap<string, Json>): Json | null | undefined {
  return id === null ? undefined : (views.get(id) ?? null);
}

/** What the row of a notification depends on besides its receiver. */
function subjectsOf({ fromId, targetId, id }: NotificationRow): string[] {
  return unique([fromId, targetId, id]);
}

/** Reports and chat messages report no changes: a page with them is not cached. */
function endOf({ reportId, chatMessageId: messageId }: NotificationRow): number {
  return reportId === null && messageId === null ? Infinity : 0;
}

function isAboutStatus(row: NotificationRow): row is NotificationRow & PageRow {
  return row.id !== null;
}
