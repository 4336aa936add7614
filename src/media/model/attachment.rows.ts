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
  readonly width: number | null;
  readonly height: number | null;
  /** Seconds. */
  readonly duration: number | null;
  readonly blurhash: string | null;
  readonly description: string;
}

/** Columns of {@link AttachmentRow}, for statements with `attachments m`. Ids are texts also inside of JSON. */
export const ATTACHMENT_COLUMNS = `m.id::text as id, m.type, m.mime_type, m.file_key, m.thumbnail_key, m.remote_url, m.width,
  m.height, m.duration, m.blurhash, m.description`;

/** An SQL expression: the attachments of a status in their order, as JSON; null when there are none. Index: attachments_status. */
export function attachmentsOf(statusId: string): string {
  return listed(`m.status_id = ${statusId}`);
}

/** Like {@link attachmentsOf}, of a scheduled post. Index: attachments_scheduled. */
export function scheduledAttachmentsOf(scheduledId: string): string {
  return listed(`m.scheduled_id = ${scheduledId}`);
}

/** Like {@link attachmentsOf}, of a chat message. Index: attachments_chat_message. */
export function chatAttachmentsOf(messageId: string): string {
  return listed(`m.chat_message_id = ${messageId}`);
}

/** Like {@link attachmentsOf}, but only those among an array of ids. */
export function attachmentsAmong(statusId: string, ids: string): string {
  return listed(`m.status_id = ${statusId} and m.id = any(${ids})`);
}

function listed(condition: string): string {
  return `(select json_agg(part order by part.position)
    from (select ${ATTACHMENT_COLUMNS}, m.position from attachments m where ${condition}) part)`;
}
