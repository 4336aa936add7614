import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { AttachmentType } from './attachment.rows.js';

/** A picture, video or recording: an upload, or part of a post. */
@Entity('attachments')
export class Attachment {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: string;

  /** The uploader; null when that account is gone: the next sweep removes the file. */
  @Column({ type: 'text', name: 'account_id', collation: 'C', nullable: true })
  accountId: string | null;

  /** Null until it is posted. */
  @Column({ type: 'text', name: 'status_id', collation: 'C', nullable: true })
  statusId: string | null;

  /** The post that it belonged to before an edit, for the history of that post. */
  @Column({ type: 'text', name: 'former_status_id', collation: 'C', nullable: true })
  formerStatusId: string | null;

  /** Its position in the post, from 1. */
  @Column({ type: 'smallint' })
  position: number;

  @Column({ type: 'text' })
  type: AttachmentType;

  @Column({ type: 'text', name: 'mime_type' })
  mimeType: string;

  /** The key in the storage; null for files of other servers. */
  @Column({ type: 'text', name: 'file_key', nullable: true })
  fileKey: string | null;

  @Column({ type: 'text', name: 'thumbnail_key', nullable: true })
  thumbnailKey: string | null;

  /** The scheduled post that has reserved it. */
  @Column({ type: 'bigint', name: 'scheduled_id', nullable: true })
  scheduledId: string | null;

  /** The chat message that it belongs to. */
  @Column({ type: 'text', name: 'chat_message_id', collation: 'C', nullable: true })
  chatMessageId: string | null;

  /** Its URL on another server. */
  @Column({ type: 'text', name: 'remote_url', nullable: true })
  remoteUrl: string | null;

  /** The URL of the picture that stands for it on another server. */
  @Column({ type: 'text', name: 'remote_preview_url', nullable: true })
  remotePreviewUrl: string | null;

  /** In bytes. */
  @Column({ type: 'bigint' })
  size: string;

  /** Width in pixels, as shown. */
  @Column({ type: 'int', nullable: true })
  width: number | null;

  @Column({ type: 'int', nullable: true })
  height: number | null;

  /** Seconds. */
  @Column({ type: 'float8', nullable: true })
  duration: number | null;

  @Column({ type: 'text', nullable: true })
  blurhash: string | null;

  /** The description for readers who cannot see or hear it. */
  @Column({ type: 'text' })
  description: string;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;
}
