import { Injectable } from '@nestjs/common';
import { type AccountJson, RelatedAccountsService } from '../../../accounts/index.js';
import { type Html, keyBy, OneOf, PageQuery, type Translator } from '../../../common/index.js';
import {
  type GroupedNotificationsJson,
  NOTIFICATION_TYPES,
  NotificationGroupsService,
  NotificationGroupView,
  NotificationPolicyService,
  type NotificationType,
} from '../../../notifications/index.js';
import { DIRECT, type PlainStatusJson } from '../../../statuses/index.js';
import { type ShownPerson, shownPerson, shownStatus } from '../../parts/shown.js';
import { statusPart } from '../../parts/status.part.js';
import { objectOf } from '../../parts/rendered.js';
import { AppStatuses } from '../statuses/app-statuses.js';
import { IN_APP } from '../statuses/status-actions.part.js';
import { wordsOf } from './notification.part.js';
import {
  CHAT_MESSAGE,
  type Kind,
  KINDS,
  type NotificationList,
  type NotifiedStatus,
  type ShownNotification,
  type ShownType,
} from './shown-notifications.js';

/** The follow requests that have buttons in notifications; the others are on their own page. */
const REQUESTS = Object.assign(new PageQuery(), { limit: 40 });

/** What is written to the viewer, or for the viewer's followers, is shown as a whole. */
const WHOLE: readonly NotificationType[] = ['mention', 'status', 'quote'];

/** Messages are left to the page of chats, which has a number of its own in the navigation. */
const SHOWN_TYPES = NOTIFICATION_TYPES.filter((type) => type !== CHAT_MESSAGE);

const CHOICES: Readonly<Record<Kind, { types?: readonly NotificationType[]; excludedTypes: NotificationType[] }>> = {
  all: { types: SHOWN_TYPES, excludedTypes: [] },
  mentions: { types: ['mention'], excludedTypes: [] },
  others: { types: SHOWN_TYPES, excludedTypes: ['mention'] },
};

type Group = GroupedNotificationsJson['notification_groups'][number];
type GroupRow = Awaited<ReturnType<NotificationGroupsService['page']>>[number];

/** Query of the page of notifications. */
export class NotificationPageQuery extends PageQuery {
  @OneOf(KINDS) kind: Kind = 'all';
}

/** The things that a page of groups names. */
interface Named {
  readonly people: ReadonlyMap<string, AccountJson>;
  readonly statuses: ReadonlyMap<string, PlainStatusJson>;
  /** The accounts that wait for an answer to their follow request. */
  readonly waiting: ReadonlySet<string>;
  /** The posts that the page shows as a whole so far: each of them once. */
  readonly whole: Set<string>;
}

/** Shows the notifications of a signed-in person, in the groups of the API. */
@Injectable()
export class AppNotifications {
  constructor(
    private readonly groups: NotificationGroupsService,
    private readonly view: NotificationGroupView,
    private readonly related: RelatedAccountsService,
    private readonly policies: NotificationPolicyService,
    private readonly statuses: AppStatuses,
  ) {}

  /** A page, newest first. */
  async list(t: Translator, viewerId: string, query: NotificationPageQuery): Promise<NotificationList> {
    const { types, excludedTypes } = CHOICES[query.kind];
    const choice = { types, excludedTypes, fromId: undefined, groupedTypes: undefined, withFiltered: false };
    const rows = await this.groups.page(viewerId, query, choice);
    const [page, requests, { requests: heldBack }] = await Promise.all([
      this.view.page(rows, query, { viewerId }, false),
      this.related.requests(viewerId, REQUESTS),
      this.policies.show(viewerId),
    ]);
    const { accounts, statuses, notification_groups: groups } = objectOf<GroupedNotificationsJson>(page.body);
    const named: Named = {
      people: keyBy(accounts, ({ id }) => id),
      statuses: keyBy(statuses, ({ id }) => id),
      waiting: new Set(requests.items.map(({ id }) => id)),
      whole: new Set(),
    };
    const rowOf = keyBy(rows, ({ groupKey }) => groupKey);
    const notifications = groups.flatMap((group) => {
      const row = rowOf.get(group.group_key);
      return row && row.type !== CHAT_MESSAGE
        ? [this.shown(t, viewerId, { ...row, type: row.type }, group, named)]
        : [];
    });
    const isLast = rows.length < query.limit && groups.length === rows.length;
    const older = isLast ? undefined : page.cursors?.last;
    const isFirst = query.max_id === undefined;
    return { kind: query.kind, notifications, older, isFirst, hasRequests: requests.items.length > 0, heldBack };
  }

  private shown(
    t: Translator,
    viewerId: string,
    row: GroupRow & { readonly type: ShownType },
    group: Group,
    named: Named,
  ): ShownNotification {
    const { target } = group;
    const status = named.statuses.get(group.status_id ?? '');
    return {
      id: row.notificationId,
      key: row.groupKey,
      type: row.type,
      at: row.createdAt,
      isUnread: !row.seen,
      count: group.notifications_count,
      people: this.peopleOf(group, named),
      isOwn: row.fromId === viewerId,
      status: status && this.status(t, row.type, status, named),
      emoji: this.emojiOf(group),
      target: target && shownPerson(target, this.statuses.context),
      isWaiting: row.type === 'follow_request' && named.waiting.has(row.fromId),
    };
  }

  private peopleOf({ sample_account_ids: ids }: Group, { people }: Named): ShownPerson[] {
    return ids.flatMap((id) => {
      const person = people.get(id);
      return person ? [shownPerson(person, this.statuses.context)] : [];
    });
  }

  private emojiOf({ emoji, emoji_url: url }: Group): ShownNotification['emoji'] {
    if (emoji === undefined) return undefined;
    return { name: emoji, picture: url && this.statuses.context.isTrusted(url) ? url : undefined };
  }

  private status(t: Translator, type: NotificationType, status: PlainStatusJson, { whole }: Named): NotifiedStatus {
    const post = shownStatus(status, this.statuses.context);
    let part: Html | undefined;
    if (WHOLE.includes(type) && !whole.has(post.id)) {
      whole.add(post.id);
      part = statusPart(t, post, IN_APP);
    }
    return { id: post.id, words: wordsOf(t, post), isDirect: DIRECT.includesName(post.visibility), part };
  }
}
