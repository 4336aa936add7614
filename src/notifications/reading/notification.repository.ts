import { Injectable } from '@nestjs/common';
import { MAX_COUNTED } from '../../common/index.js';
import { BIGINT_LAST, Database, type Keyset, remainderOf, SLICE, sql, walkDown } from '../../platform/index.js';
import {
  notificationPage,
  type NotificationRow,
  notificationsByIds,
  unreadCount,
  unreadCounts,
} from './notification-page.sql.js';
import { LISTED_TYPES, type NotificationType } from '../model/notification.types.js';

/** The filter of a list of notifications. */
export interface NotificationFilter {
  readonly types: readonly NotificationType[];
  /** Only those from one account. */
  readonly fromId: string | null;
  /** Stored visibilities; notifications without a status are never excluded. */
  readonly excludedVisibilities: readonly number[];
  readonly withMuted: boolean;
  /** Also those that the receiver's policy filters. */
  readonly withFiltered: boolean;
}

/** The filter of what is counted. */
export type UnreadFilter = Pick<NotificationFilter, 'types' | 'fromId'>;

/** An unread notification about a post. */
export interface UnreadAbout {
  readonly id: string;
  readonly statusId: string;
}

const read = sql('notifications.read', `update notifications set seen = true where receiver_id = $1 and id = $2`);

// Locks the rows in the order of their ids, so that two requests cannot deadlock; so does `clear`. Index: notifications_unseen.
const readUpTo = sql<{ id: string }>(
  'notifications.read_up_to',
  `with unread as materialized (
     select id from notifications where receiver_id = $1 and id <= $2 and not seen and not filtered
     order by id desc limit ${SLICE} for no key update),
   read as (update notifications n set seen = true from unread where n.id = unread.id returning n.id)
   select id from read order by id desc`,
);

// Index: notifications_unseen.
const unreadAbout = sql<UnreadAbout>(
  'notifications.unread_about_posts',
  `select id, status_id as "statusId" from notifications
   where receiver_id = $1 and id < $2::bigint and not seen and not filtered and status_id is not null
   order by id desc limit $3`,
);

/** A receiver's unread notifications about one post. */
export interface UnreadOfReceiver {
  readonly receiverId: string;
  readonly ids: readonly string[];
}

// Only those by the author of the post, who may have been told of the post by very many others. Index: notifications_of_status.
const receiversOf = sql<UnreadOfReceiver>(
  'notifications.unread_receivers_of_post',
  `select n.receiver_id as "receiverId", array_agg(n.id::text) as ids
   from statuses s join notifications n on n.status_id = s.id and n.from_id = s.author_id
   where s.id = $1 and n.receiver_id > $2 and not n.seen and not n.filtered
   group by n.receiver_id order by n.receiver_id limit $3`,
);

// Locks the rows in the order of `readUpTo`.
const readThose = sql(
  'notifications.read_those',
  `with unread as materialized (
     select id from notifications where receiver_id = $1 and id = any($2::bigint[]) and not seen
     order by id desc for no key update)
   update notifications n set seen = true from unread where n.id = unread.id`,
);

const remove = sql(
  'notifications.remove',
  `delete from notifications where receiver_id = $1 and id = any($2::bigint[])`,
);

// Index: notifications_page.
const clear = sql<{ id: string }>(
  'notifications.clear',
  `with stored as materialized (
     select id from notifications where receiver_id = $1 and id <= $2 order by id desc limit ${SLICE} for update),
   gone as (delete from notifications n using stored where n.id = stored.id returning n.id)
   select id from gone order by id desc`,
);

/** Reads the notifications of receivers, marks them as read and removes them. */
@Injectable()
export class NotificationRepository {
  constructor(private readonly db: Database) {}

  /** A page, newest first. */
  page(receiverId: string, keyset: Keyset, offset: number, filter: NotificationFilter): Promise<NotificationRow[]> {
    return this.db.rows(notificationPage[keyset.direction], [
      receiverId,
      filter.withMuted,
      keyset.below,
      keyset.above,
      filter.types,
      filter.fromId,
      filter.excludedVisibilities,
      keyset.limit,
      offset,
      filter.withFiltered,
    ]);
  }

  /** The receiver's notifications among the ids, newest first. */
  byIds(receiverId: string, ids: readonly string[], withMuted: boolean): Promise<NotificationRow[]> {
    return this.db.rows(notificationsByIds, [receiverId, withMuted, ids]);
  }

  /** Counts the unread notifications, up to `limit`. */
  async unread(
    receiverId: string,
    { types, fromId }: UnreadFilter = { types: LISTED_TYPES, fromId: null },
    limit = MAX_COUNTED,
  ): Promise<number> {
    return (await this.db.first(unreadCount, [receiverId, types, fromId, limit]))?.unread ?? 0;
  }

  /** Counts the unread notifications of the list, up to {@link MAX_COUNTED}, and the chats with unread messages. */
  async unreadWithChats(receiverId: string): Promise<{ notifications: number; chats: number }> {
    const counts = await this.db.first(unreadCounts, [receiverId, LISTED_TYPES, null, MAX_COUNTED]);
    return counts ?? { notifications: 0, chats: 0 };
  }

  /** Marks a notification as read; returns false when the receiver has no such notification. */
  async read(receiverId: string, id: string): Promise<boolean> {
    return (await this.db.run(read, [receiverId, id])) === 1;
  }

  /**
   * Marks the newest notifications up to an id as read, at most {@link SLICE}; returns the ids of those that were unread, newest
   * first. {@link readRest} reads the others.
   */
  async readUpTo(receiverId: string, id: string): Promise<string[]> {
    return (await this.db.rows(readUpTo, [receiverId, id])).map((row) => row.id);
  }

  /** Marks as read what is older than the notifications that {@link readUpTo} read. Outside of the unit: it may take long. */
  async readRest(receiverId: string, read: readonly string[]): Promise<void> {
    await walkDown(remainderOf(read), (upTo) => this.readUpTo(receiverId, upTo));
  }

  /** Unread notifications about posts below an id, the newest first. */
  unreadAbout(receiverId: string, below: string, limit: number): Promise<UnreadAbout[]> {
    return this.db.rows(unreadAbout, [receiverId, below, limit]);
  }

  /** The receivers behind one with unread notifications about a post, by its author. */
  receiversOf(statusId: string, after: string, limit: number): Promise<UnreadOfReceiver[]> {
    return this.db.rows(receiversOf, [statusId, after, limit]);
  }

  /** Marks the receiver's notifications among the ids as read. */
  async readThose(receiverId: string, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.db.run(readThose, [receiverId, ids]);
  }

  /** Removes the receiver's notifications among the ids; returns their number. */
  remove(receiverId: string, ids: readonly string[]): Promise<number> {
    return this.db.run(remove, [receiverId, ids]);
  }

  /** Removes all, the newest first; leaves those that are made meanwhile. */
  async clear(receiverId: string): Promise<void> {
    await walkDown(BIGINT_LAST, async (upTo) => (await this.db.rows(clear, [receiverId, upTo])).map((row) => row.id));
  }
}
