import { Injectable } from '@nestjs/common';
import { BIGINT_LAST, Database, type Keyset, newestFirst } from '../../platform/index.js';
import type { UnreadFilter } from '../reading/notification.repository.js';
import {
  groupAccounts,
  groupPage,
  groupPart,
  type GroupRow,
  oneGroup,
  removeGroup,
  unreadGroups,
} from './notification-group.sql.js';

/** The key of a group, or the id of a notification that is shown alone. */
export interface GroupName {
  readonly by: 'key' | 'id';
  readonly name: string;
}

/** The filter of a list of groups, and the types that are grouped. */
export interface GroupFilter extends UnreadFilter {
  readonly grouped: readonly string[];
  /** Also those that the receiver's policy filters. */
  readonly withFiltered: boolean;
}

/** An account in a group, with the id of its notification. */
export interface GroupAccount {
  readonly cursor: string;
  readonly accountId: string;
}

/** Of a group, the newest of its filtered notifications or of the others. */
export interface GroupPart {
  readonly receiverId: string;
  readonly key: string;
  readonly upTo: string;
  readonly filtered: boolean;
}

/** Reads and removes groups of notifications. */
@Injectable()
export class NotificationGroupRepository {
  constructor(private readonly db: Database) {}

  /** A page, newest first. */
  page(
    receiverId: string,
    { direction, below, above, limit }: Keyset,
    offset: number,
    { grouped, types, fromId, withFiltered }: GroupFilter,
  ): Promise<GroupRow[]> {
    const choice = [receiverId, grouped, types, fromId, withFiltered];
    return this.db.rows(groupPage[direction], [...choice, below, above, limit, offset]);
  }

  one(receiverId: string, { by, name }: GroupName): Promise<GroupRow | undefined> {
    return this.db.first(oneGroup[by], [receiverId, name]);
  }

  /** A page of the accounts of a group, newest first. */
  async accounts(receiverId: string, { by, name }: GroupName, keyset: Keyset): Promise<GroupAccount[]> {
    const { direction, below, above, limit } = keyset;
    const rows = await this.db.rows(groupAccounts[by][direction], [receiverId, name, below, above, limit]);
    return newestFirst(rows, keyset).map((row) => ({ cursor: row.id, accountId: row.fromId }));
  }

  /** Counts groups with unread notifications, up to `limit`. */
  async unread(
    receiverId: string,
    { grouped, types, fromId, withFiltered }: GroupFilter,
    limit: number,
  ): Promise<number> {
    return (await this.db.first(unreadGroups, [receiverId, grouped, types, fromId, withFiltered, limit]))?.unread ?? 0;
  }

  /** The whole of that part of a group that its key means: what is shown by it. */
  async part(receiverId: string, key: string): Promise<GroupPart> {
    const { filtered = false } = (await this.db.first(groupPart, [receiverId, key])) ?? {};
    return { receiverId, key, upTo: BIGINT_LAST, filtered };
  }

  /** Removes a slice of the notifications of a part of a group; returns their ids, newest first. */
  async remove({ receiverId, key, upTo, filtered }: GroupPart): Promise<string[]> {
    return (await this.db.rows(removeGroup, [receiverId, key, upTo, filtered])).map(({ id }) => id);
  }
}
