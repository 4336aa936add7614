/** The type of an attachment in apps (reference MediaAttachment). */
export type AttachmentType = 'image' | 'video' | 'audio' | 'unknown';

/** An attachment to render. */
export interface AttachmentRow {
  readonly id: string;
  readonly type: AttachmentType;
  readonly mimeType: string;
  /** Null for files of other servers, which have `remote_url`. */
  readonly fileKey: string | null;
  readonly thumbnailKey: string | null;
  readonly remoteUrl: string | null;
  /** The picture that stands for a file of another server, there. */
  readonly remotePreviewUrl: string | null;
  readonly width: number | null;
  readonly height: number | null;
  /** Seconds. */
  readonly duration: number | null;
  readonly blurhash: string | null;
  readonly description: string;
}
