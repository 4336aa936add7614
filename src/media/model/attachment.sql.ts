/** Columns of `AttachmentRow`, for statements with `attachments m`. Ids are texts also inside of JSON. */
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
