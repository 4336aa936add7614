import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { StoredEmoji } from '../../emoji/index.js';

/** A post as it was until it was edited. */
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

  /** Of what was attached; shown as far as it still is. */
  @Column({ type: 'bigint', name: 'attachment_ids', array: true })
  attachmentIds: string[];

  /** Titles; null when it had no poll. */
  @Column({ type: 'text', name: 'poll_options', array: true, nullable: true })
  pollOptions: string[] | null;

  /** Since when it said this. */
  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;
}
