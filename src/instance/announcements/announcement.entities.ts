import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An announcement of the server's staff (spec §2.6). */
@Entity('announcements')
export class Announcement {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  id: string;

  /** The source text. */
  @Column({ type: 'text' })
  source: string;

  /** The sanitised HTML. */
  @Column({ type: 'text', name: 'content_html' })
  contentHtml: string;

  /** The mentioned accounts, in order. */
  @Column({ type: 'text', name: 'mention_ids', array: true, default: '{}' })
  mentionIds: string[];

  /** Normalised names of its hashtags, in order. */
  @Column({ type: 'text', array: true, default: '{}' })
  tags: string[];

  /** Null: at once. */
  @Column({ type: 'timestamptz', name: 'starts_at', nullable: true })
  startsAt: Date | null;

  /** Null: never. */
  @Column({ type: 'timestamptz', name: 'ends_at', nullable: true })
  endsAt: Date | null;

  /** Whether the begin and end are whole days. */
  @Column({ type: 'boolean', name: 'all_day', default: false })
  allDay: boolean;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;
}

/** An account has read an announcement. */
@Entity('announcement_reads')
export class AnnouncementRead {
  @PrimaryColumn({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  @PrimaryColumn({ type: 'text', name: 'announcement_id', collation: 'C' })
  announcementId: string;
}

/** An account's reaction to an announcement. */
@Entity('announcement_reactions')
export class AnnouncementReaction {
  @PrimaryColumn({ type: 'text', name: 'announcement_id', collation: 'C' })
  announcementId: string;

  /** An emoji in its fully qualified form, or the shortcode of a custom one. */
  @PrimaryColumn({ type: 'text' })
  name: string;

  @PrimaryColumn({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
