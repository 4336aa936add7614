import { columns } from '../../platform/index.js';
import { Attachment } from './attachment.entity.js';

const COLUMNS = `m.id::text as id, ${columns(Attachment, 'm', ['type', 'mimeType', 'fileKey', 'thumbnailKey', 'remoteUrl', 'remotePreviewUrl', 'width', 'height', 'duration', 'blurhash'])}`;

/** Columns of `AttachmentRow`, for statements with `attachments m`. Ids are texts also inside of JSON. */
export const ATTACHMENT_COLUMNS = `${COLUMNS}, m.description`;

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

/** An attachment `m` that is neither posted, nor sent in a chat, nor reserved by a scheduled post. */
export const FREE = 'm.status_id is null and m.scheduled_id is null and m.chat_message_id is null';

/** An upload `m` that a post or a message may take: no mascot, which would be deleted with it. Index: mascots_attachment_id_key. */
export const USABLE = `${FREE} and not exists (select from mascots where attachment_id = m.id)`;

/**
 * Like {@link attachmentsOf}, but only those among an array of ids, in that order, and also those that
 * an edit took from the post. The second array has their descriptions; null: the present ones. Index: attachments_pkey.
 */
export function attachmentsAmong(statusId: string, ids: string, descriptions: string): string {
  const position = `array_position(${ids}, m.id)`;
  return listed(
    `m.id = any(${ids}) and (m.status_id = ${statusId} or m.former_status_id = ${statusId} and ${FREE})`,
    `${COLUMNS}, coalesce((${descriptions})[${position}], m.description) as description, ${position} as position`,
  );
}

function listed(condition: string, columns = `${ATTACHMENT_COLUMNS}, m.position`): string {
  return `(select json_agg(part order by part.position) from (select ${columns} from attachments m where ${condition}) part)`;
}
