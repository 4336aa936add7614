import { Injectable } from '@nestjs/common';
import { Database, UnitOfWork } from '../../platform/index.js';
import { Announcement } from './announcement.entities.js';

/** An announcement to render. */
export interface AnnouncementRow {
  readonly id: string;
  readonly source: string;
  readonly content_html: string;
  readonly mention_ids: readonly string[];
  readonly tags: readonly string[];
  readonly starts_at: string | null;
  readonly ends_at: string | null;
  readonly all_day: boolean;
  readonly published_at: string;
  readonly updated_at: string;
  /** Whether it has begun and not ended. */
  readonly active: boolean;
}

/** An announcement with the viewer's state. */
export interface ShownAnnouncement extends AnnouncementRow {
  readonly read: boolean;
}

/** A stored announcement. */
export type AnnouncementValues = Pick<
  Announcement,
  'source' | 'contentHtml' | 'mentionIds' | 'tags' | 'startsAt' | 'endsAt' | 'allDay'
>;

export interface ReactionRow {
  readonly announcement_id: string;
  readonly name: string;
  readonly count: number;
  readonly me: boolean;
}

/** The most announcements shown at once. */
const MAX_SHOWN = 100;

const ACTIVE = `coalesce(a.starts_at <= now(), true) and coalesce(a.ends_at > now(), true)`;
const PUBLISHED_AT = 'greatest(a.created_at, a.starts_at)';
const COLUMNS = `a.id, a.source, a.content_html, a.mention_ids, a.tags, a.starts_at, a.ends_at, a.all_day,
  ${PUBLISHED_AT} as published_at, a.updated_at, ${ACTIVE} as active`;

/** All SQL on `announcements`, `announcement_reads` and `announcement_reactions`. */
@Injectable()
export class AnnouncementRepository {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  /** The active announcements for an account: unread ones first, then the newest. */
  shownTo(accountId: string, withRead: boolean): Promise<ShownAnnouncement[]> {
    return this.db.query(
      `select ${COLUMNS}, reads.account_id is not null as read
       from announcements a left join announcement_reads reads on reads.announcement_id = a.id and reads.account_id = $1
       where ${ACTIVE} and ($2 or reads.account_id is null)
       order by read, ${PUBLISHED_AT} desc, a.id desc limit ${MAX_SHOWN}`,
      [accountId, withRead],
    );
  }

  /** All announcements, the newest first. */
  page(limit: number, offset: number): Promise<AnnouncementRow[]> {
    return this.db.query(`select ${COLUMNS} from announcements a order by a.id desc limit $1 offset $2`, [
      limit,
      offset,
    ]);
  }

  /** Announcements in any state, unordered. */
  byIds(ids: readonly string[]): Promise<AnnouncementRow[]> {
    return this.db.query(`select ${COLUMNS} from announcements a where a.id = any($1::text[])`, [ids]);
  }

  async byId(id: string): Promise<AnnouncementRow | undefined> {
    return (await this.byIds([id]))[0];
  }

  async insert(id: string, values: AnnouncementValues): Promise<void> {
    await this.uow.manager.insert(Announcement, { id, ...values });
  }

  async update(id: string, values: AnnouncementValues): Promise<void> {
    await this.uow.manager.update(Announcement, { id }, { ...values, updatedAt: () => 'now()' });
  }

  async delete(id: string): Promise<boolean> {
    return (await this.uow.manager.delete(Announcement, { id })).affected === 1;
  }

  /** Marks an active announcement as read; false when there is none. */
  async markRead(id: string, accountId: string): Promise<boolean> {
    const rows = await this.db.query(
      `with shown as (select a.id from announcements a where a.id = $1 and ${ACTIVE}),
         noted as (insert into announcement_reads (account_id, announcement_id) select $2, id from shown
                   on conflict do nothing)
       select id from shown`,
      [id, accountId],
    );
    return rows.length > 0;
  }

  /** Locks an announcement in any state until the unit of work ends; false when there is none. */
  async hold(id: string): Promise<boolean> {
    const rows = await this.db.query('select id from announcements where id = $1 for no key update', [id]);
    return rows.length > 0;
  }

  /** Locks the reactions to an active announcement until the unit of work ends; false when there is none. */
  async lock(id: string): Promise<boolean> {
    const rows = await this.db.query(`select id from announcements a where id = $1 and ${ACTIVE} for no key update`, [
      id,
    ]);
    return rows.length > 0;
  }

  /**
   * Adds a reaction to a locked announcement. Undefined when `maxNames` other emoji are in use; false when the reaction
   * exists.
   */
  async addReaction(id: string, name: string, accountId: string, maxNames: number): Promise<boolean | undefined> {
    const [row] = await this.db.query<{ is_new: boolean }>(
      `with names as (select distinct name from announcement_reactions where announcement_id = $1),
         allowed as (select 1 where exists (select from names where name = $2) or (select count(*) from names) < $4),
         added as (insert into announcement_reactions (announcement_id, name, account_id) select $1, $2, $3 from allowed
                   on conflict do nothing returning 1)
       select exists (select from added) as is_new from allowed`,
      [id, name, accountId, maxNames],
    );
    return row?.is_new;
  }

  /** Removes a reaction to an active announcement; false when there is none. */
  async removeReaction(id: string, name: string, accountId: string): Promise<boolean> {
    const rows = await this.db.query(
      `delete from announcement_reactions reactions using announcements a
       where a.id = $1 and ${ACTIVE} and reactions.announcement_id = a.id and reactions.name = $2
         and reactions.account_id = $3 returning reactions.name`,
      [id, name, accountId],
    );
    return rows.length > 0;
  }

  /** The reactions to several announcements, one row per emoji, in the order of first use. */
  reactions(ids: readonly string[], viewerId: string | undefined): Promise<ReactionRow[]> {
    return this.db.query(
      `select announcement_id, name, count(*)::int as count, bool_or(account_id = $2) as me
       from announcement_reactions where announcement_id = any($1::text[])
       group by announcement_id, name order by announcement_id, min(created_at), name`,
      [ids, viewerId ?? ''],
    );
  }
}
