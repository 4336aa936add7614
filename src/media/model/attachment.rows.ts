/** The type of an attachment in apps (reference MediaAttachment). */
export type AttachmentType = 'image' | 'video' | 'audio' | 'unknown';

/** An attachment to render. */
export interface AttachmentRow {
  readonly id: string;
  readonly type: AttachmentType;
  readonly mime_type: string;
  /** Null for files of other servers, which have `remote_url`. */
  readonly file_key: string | null;
  readonly thumbnail_key: string | null;
  readonly remote_url: string | null;
  /** The picture that stands for a file of another server, there. */
  readonly remote_preview_url: string | null;
  readonly width: number | null;
  readonly height: number | null;
  /** Seconds. */
  readonly duration: number | null;
  readonly blurhash: string | null;
  readonly description: string;
}
