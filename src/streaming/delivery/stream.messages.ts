import type { NotificationType } from '../../notifications/index.js';
import { LIVE } from '../../platform/index.js';
import type { FormerPlaces } from '../../statuses/index.js';

/** The bus channel that carries the messages to every process with clients. */
export const STREAM_CHANNEL = `${LIVE}stream`;

/** An event as ids and a few facts. Each process finds the sessions that it concerns. */
export type StreamMessage =
  | EntryCreated
  | EntryDeleted
  | ConversationMessage
  | NotificationMade
  | ChatMessageStored
  | FollowChanged
  | FilterMessage
  | AnnouncementMessage;

/** A post or a boost was made, or a post was edited. */
export interface EntryCreated {
  readonly kind: 'created';
  readonly statusId: string;
  readonly authorId: string;
  readonly visibility: number;
  readonly isBoost: boolean;
  /** True when the post existed before. */
  readonly isEdit: boolean;
  /** Where it was shown before, if that may have changed: there apps show its old text. */
  readonly former?: FormerPlaces;
}

/** A post or a boost was deleted, or fewer accounts than before may read a post. */
export interface EntryDeleted {
  readonly kind: 'deleted';
  readonly statusId: string;
  readonly authorId: string;
  /** The former one. */
  readonly visibility: number;
  readonly local: boolean;
  readonly isBoost: boolean;
  /** Whether the post is still there: viewers who may see it do not get the message. */
  readonly isNarrowed: boolean;
  readonly tagIds: readonly string[];
  readonly addressedIds: readonly string[];
  readonly boosterIds: readonly string[];
}

/** A conversation was read, marked as unread, or has another last post after a deletion. */
export interface ConversationMessage {
  readonly kind: 'conversation';
  readonly conversationId: string;
  readonly ownerId: string;
}

/** An account got a notification. */
export interface NotificationMade {
  readonly kind: 'notified';
  readonly notificationId: string;
  readonly receiverId: string;
  readonly type: NotificationType;
}

/** A chat got a message. */
export interface ChatMessageStored {
  readonly kind: 'chat';
  readonly messageId: string;
  /** Its local parties. */
  readonly ownerIds: readonly string[];
}

/** A local account followed, asked to follow, or unfollowed an account (spec §3.6). */
export interface FollowChanged {
  readonly kind: 'follow';
  readonly followerId: string;
  readonly followeeId: string;
  readonly state: 'follow_pending' | 'follow_accept' | 'follow_reject';
}

/** The filters of an account changed. */
export interface FilterMessage {
  readonly kind: 'filters';
  readonly accountId: string;
}

/** A message about an announcement, which concerns every signed-in user. */
export type AnnouncementMessage = AnnouncementShown | AnnouncementReaction | AnnouncementGone;

/** An announcement began or was changed. */
export interface AnnouncementShown {
  readonly kind: 'announced';
  readonly announcementId: string;
}

/** A user reacted to an announcement, or removed a reaction. */
export interface AnnouncementReaction {
  readonly kind: 'announcement-reaction';
  readonly announcementId: string;
  readonly name: string;
}

/** An announcement was deleted, or is no longer shown. */
export interface AnnouncementGone {
  readonly kind: 'announcement-gone';
  readonly announcementId: string;
}
