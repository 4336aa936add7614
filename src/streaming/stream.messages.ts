/** The bus channel on which every process hears what to send to its sockets. */
export const STREAM_CHANNEL = 'stream';

/** What happened, in ids and a few facts: each process finds out for itself which of its sockets it concerns. */
export type StreamMessage =
  EntryCreated | EntryDeleted | NotificationMade | FollowChanged | FilterNews | AnnouncementNews;

/** A post or a boost is there, or a post says something else. */
export interface EntryCreated {
  readonly kind: 'created';
  readonly statusId: string;
  readonly authorId: string;
  readonly visibility: number;
  readonly isBoost: boolean;
  /** It was there before. */
  readonly isEdit: boolean;
}

/** A post or a boost is gone. */
export interface EntryDeleted {
  readonly kind: 'deleted';
  readonly statusId: string;
  readonly authorId: string;
  readonly visibility: number;
  readonly local: boolean;
  readonly isBoost: boolean;
  readonly tagIds: readonly string[];
  readonly addressedIds: readonly string[];
  readonly boosterIds: readonly string[];
}

/** Somebody is told of something. */
export interface NotificationMade {
  readonly kind: 'notified';
  readonly notificationId: string;
  readonly receiverId: string;
}

/** How a local account stands to one that it follows, wants to follow, or does not follow any more (spec §3.6). */
export interface FollowChanged {
  readonly kind: 'follow';
  readonly followerId: string;
  readonly followeeId: string;
  readonly state: 'follow_pending' | 'follow_accept' | 'follow_reject';
}

/** Somebody's filters are others than before. */
export interface FilterNews {
  readonly kind: 'filters';
  readonly accountId: string;
}

/** Something about an announcement, which concerns everybody who is signed in. */
export type AnnouncementNews = AnnouncementShown | AnnouncementReaction | AnnouncementGone;

/** An announcement has begun, or was changed. */
export interface AnnouncementShown {
  readonly kind: 'announced';
  readonly announcementId: string;
}

/** Somebody reacted to an announcement, or took a reaction back. */
export interface AnnouncementReaction {
  readonly kind: 'announcement-reaction';
  readonly announcementId: string;
  readonly name: string;
}

/** An announcement was taken back. */
export interface AnnouncementGone {
  readonly kind: 'announcement-gone';
  readonly announcementId: string;
}
