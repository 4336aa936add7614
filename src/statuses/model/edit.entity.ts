import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { StoredEmoji } from '../../emoji/index.js';

/** A version of a post before an edit. */
@Entity('status_edits')
export class StatusEdit {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: string;

  @Column({ type: 'text', name: 'status_id', collation: 'C' })
  statusId: string;

  @Column({ type: 'text', name: 'content_html' })
  contentHtml: string;

  @Column({ type: 'text' })
  spoiler: string;

  @Column({ type: 'boolean' })
  sensitive: boolean;

  @Column({ type: 'jsonb' })
  emojis: StoredEmoji[];

  /** Attachments of this version, in order; those that are used elsewhere now, or gone, are not shown. */
  @Column({ type: 'bigint', name: 'attachment_ids', array: true })
  attachmentIds: string[];

  /** Their descriptions in this version; null in versions that an earlier release stored: those of today are shown. */
  @Column({ type: 'text', name: 'attachment_descriptions', array: true, nullable: true })
  attachmentDescriptions: string[] | null;

  /** Titles; null when the version had no poll. */
  @Column({ type: 'text', name: 'poll_options', array: true, nullable: true })
  pollOptions: string[] | null;

  /** When this version was written. */
  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;
}
