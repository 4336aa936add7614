import type { Html } from '../../../common/index.js';
import type { NotificationType } from '../../../notifications/index.js';
import type { ShownPerson } from '../../parts/shown.js';

/** The choices of the list. */
export const KINDS = ['all', 'mentions', 'others'] as const;
export type Kind = (typeof KINDS)[number];

/** The type of notifications that are not listed, since the page of chats shows what they are about. */
export const CHAT_MESSAGE = 'svc:chat_mention' satisfies NotificationType;
export type ShownType = Exclude<NotificationType, typeof CHAT_MESSAGE>;

/** The post of a notification: as a whole, or in short. */
export interface NotifiedStatus {
  readonly id: string;
  /** The first words. */
  readonly words: string;
  readonly isDirect: boolean;
  /** The whole post with its buttons, where the page shows it. */
  readonly part: Html | undefined;
}

/** The emoji of a reaction. */
export interface ShownEmoji {
  readonly name: string;
  /** The picture of a custom emoji, if a page may show it. */
  readonly picture: string | undefined;
}

/** A notification, or several of one kind about one thing. */
export interface ShownNotification {
  /** The id of the newest one. */
  readonly id: string;
  /** The key of its group. */
  readonly key: string;
  readonly type: ShownType;
  readonly at: string;
  readonly isUnread: boolean;
  /** The number of people. */
  readonly count: number;
  /** The newest of them, newest first; at least one. */
  readonly people: readonly ShownPerson[];
  /** Whether it is the viewer who caused it, such as the author of a poll that ended. */
  readonly isOwn: boolean;
  readonly status: NotifiedStatus | undefined;
  readonly emoji: ShownEmoji | undefined;
  /** For a move: the account moved to. */
  readonly target: ShownPerson | undefined;
  /** Whether it is a follow request that waits for an answer. */
  readonly isWaiting: boolean;
}

/** A page of the list. */
export interface NotificationList {
  readonly kind: Kind;
  readonly notifications: readonly ShownNotification[];
  /** The `max_id` of the next page; undefined on the last one. */
  readonly older: string | undefined;
  /** Whether it is the page of the newest ones. */
  readonly isFirst: boolean;
  /** Whether people wait for an answer to their follow requests. */
  readonly hasRequests: boolean;
  /** The number of people whose notifications are held back. */
  readonly heldBack: number;
}
