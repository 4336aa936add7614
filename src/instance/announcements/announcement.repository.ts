import { Injectable } from '@nestjs/common';
import { columns, Database, someRow, UnitOfWork, sql } from '../../platform/index.js';
import { Announcement } from './announcement.entities.js';

/** An announcement to render. */
export interface AnnouncementRow {
  readonly id: string;
  readonly source: string;
  readonly contentHtml: string;
  readonly mentionIds: readonly string[];
  readonly tags: readonly string[];
  readonly startsAt: string | null;
  readonly endsAt: string | null;
  readonly allDay: boolean;
  readonly publishedAt: string;
  readonly updatedAt: string;
  /** Whether it has begun and not ended. */
  readonly active: boolean;
  /** Whether the viewer has dismissed it; null without a viewer. */
  readonly read: boolean | null;
}

/** A stored announcement. */
export type AnnouncementValues = Pick<
  Announcement,
  'source' | 'contentHtml' | 'mentionIds' | 'tags' | 'startsAt' | 'endsAt' | 'allDay'
>;

export interface ReactionRow {
  readonly announcementId: string;
  readonly name: string;
  readonly count: number;
  readonly me: boolean;
}

/** The most announcements shown at once. */
const MAX_SHOWN = 100;

const ACTIVE = `coalesce(a.starts_at <= now(), true) and coalesce(a.ends_at > now(), true)`;
const PUBLISHED_AT = 'greatest(a.created_at, a.starts_at)';
const COLUMNS = `${columns(Announcement, 'a', ['id', 'source', 'contentHtml', 'mentionIds', 'tags', 'startsAt', 'endsAt', 'allDay'])},
  ${PUBLISHED_AT} as "publishedAt", a.updated_at as "updatedAt", ${ACTIVE} as active`;

/** Whether an account, if any, has dismissed the announcement. Index: announcement_reads_pkey. */
function readBy(account: string): string {
  const reads = `announcement_reads r where r.account_id = ${account} and r.announcement_id = a.id`;
  return `case when ${account}::text is not null then ${someRow(reads)} end as read`;
}

const shownTo = sql<AnnouncementRow>(
  'announcements.shown_to',
  `select ${COLUMNS}, reads.account_id is not null as read
   from announcements a left join announcement_reads reads on reads.announcement_id = a.id and reads.account_id = $1
   where ${ACTIVE} and ($2 or reads.account_id is null)
   order by read, ${PUBLISHED_AT} desc, a.id desc limit ${MAX_SHOWN}`,
);

const page = sql<AnnouncementRow>(
  'announcements.page',
  `select ${COLUMNS}, ${readBy('$3')} from announcements a order by a.id desc limit $1 offset $2`,
);

const byIds = sql<AnnouncementRow>(
  'announcements.by_ids',
  `select ${COLUMNS}, ${readBy('$2')} from announcements a where a.id = any($1::text[])`,
);

const markRead = sql<{ id: string }>(
  'announcements.mark_read',
  `with shown as (select a.id from announcements a where a.id = $1 and ${ACTIVE}),
     noted as (insert into announcement_reads (account_id, announcement_id) select $2, id from shown
               on conflict do nothing)
   select id from shown`,
);

const lockAny = sql('announcements.lock_any', `select from announcements where id = $1 for no key update`);

const lock = sql('announcements.lock', `select from announcements a where id = $1 and ${ACTIVE} for no key update`);

const addReaction = sql<{ isNew: boolean }>(
  'announcements.add_reaction',
  `with names as (select distinct name from announcement_reactions where announcement_id = $1),
     allowed as (select 1 where exists (select from names where name = $2) or (select count(*) from names) < $4),
     added as (insert into announcement_reactions (announcement_id, name, account_id) select $1, $2, $3 from allowed
               on conflict do nothing returning 1)
   select exists (select from added) as "isNew" from allowed`,
);

const removeReaction = sql(
  'announcements.remove_reaction',
  `delete from announcement_reactions reactions using announcements a
   where a.id = $1 and ${ACTIVE} and reactions.announcement_id = a.id and reactions.name = $2
     and reactions.account_id = $3`,
);

const reactions = sql<ReactionRow>(
  'announcements.reactions',
  `select announcement_id as "announcementId", name, count(*)::int as count, bool_or(account_id = $2) as me
   from announcement_reactions where announcement_id = any($1::text[])
   group by announcement_id, name order by announcement_id, min(created_at), name`,
);

/** All SQL on `announcements`, `announcement_reads` and `announcement_reactions`. */
@Injectable()
export class AnnouncementRepository {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  /** The active announcements for an account: unread ones first, then the newest. */
  shownTo(accountId: string, withRead: boolean): Promise<AnnouncementRow[]> {
    return this.db.rows(shownTo, [accountId, withRead]);
  }

  /** All announcements, the newest first. */
  page(limit: number, offset: number, viewerId: string | null): Promise<AnnouncementRow[]> {
    return this.db.rows(page, [limit, offset, viewerId]);
  }

  /** Announcements in any state, unordered. */
  byIds(ids: readonly string[], viewerId: string | null = null): Promise<AnnouncementRow[]> {
    return this.db.rows(byIds, [ids, viewerId]);
  }

  async byId(id: string, viewerId: string | null = null): Promise<AnnouncementRow | undefined> {
    return (await this.byIds([id], viewerId))[0];
  }

  async insert(id: string, values: AnnouncementValues): Promise<void> {
    await this.uow.manager.insert(Announcement, { id, ...values });
  }

  async update(id: string, values: Partial<AnnouncementValues>): Promise<void> {
    await this.uow.manager.update(Announcement, { id }, { ...values, updatedAt: () => 'now()' });
  }

  async delete(id: string): Promise<boolean> {
    return (await this.uow.manager.delete(Announcement, { id })).affected === 1;
  }

  /** Marks an active announcement as read; false when there is none. */
  async markRead(id: string, accountId: string): Promise<boolean> {
    const rows = await this.db.rows(markRead, [id, accountId]);
    return rows.length > 0;
  }

  /** Locks an announcement in any state until the unit of work ends; false when there is none. */
  async lockAny(id: string): Promise<boolean> {
    return (await this.db.run(lockAny, [id])) > 0;
  }

  /** Locks the reactions to an active announcement until the unit of work ends; false when there is none. */
  async lock(id: string): Promise<boolean> {
    return (await this.db.run(lock, [id])) > 0;
  }

  /**
   * Adds a reaction to a locked announcement. Undefined when `maxNames` other emoji are in use; false when the reaction
   * exists.
   */
  async addReaction(id: string, name: string, accountId: string, maxNames: number): Promise<boolean | undefined> {
    const row = await this.db.first(addReaction, [id, name, accountId, maxNames]);
    return row?.isNew;
  }

  /** Removes a reaction to an active announcement; false when there is none. */
  async removeReaction(id: string, name: string, accountId: string): Promise<boolean> {
    return (await this.db.run(removeReaction, [id, name, accountId])) > 0;
  }

  /** The reactions to several announcements, one row per emoji, in the order of first use. */
  reactions(ids: readonly string[], viewerId: string | undefined): Promise<ReactionRow[]> {
    return this.db.rows(reactions, [ids, viewerId ?? '']);
  }
}
