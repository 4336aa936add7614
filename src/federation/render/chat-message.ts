import type { EmojiTag } from '../../emoji/index.js';
import type { AttachmentRow } from '../../media/index.js';
import { documentContext } from '../wire/uris.js';
import { attachmentDocument, emojiTag } from './note.js';

/** The stored data of a chat message. */
export interface ChatMessageSource {
  readonly uri: string;
  readonly sender: string;
  readonly recipient: string;
  readonly html: string;
  readonly createdAt: string;
  readonly attachments: readonly AttachmentRow[];
}

/** The ActivityPub document of a chat message. Pleroma takes one file, and refuses an empty list. */
export function chatMessageDocument(
  { uri, sender, recipient, html, createdAt: published, attachments }: ChatMessageSource,
  baseUrl: string,
  fileUrl: (attachment: AttachmentRow) => string,
  emojis: readonly EmojiTag[],
): Record<string, unknown> {
  return {
    '@context': documentContext(baseUrl),
    id: uri,
    type: 'ChatMessage',
    actor: sender,
    attributedTo: sender,
    to: [recipient],
    content: html,
    published,
    ...(attachments.length === 0
      ? {}
      : { attachment: attachments.map((each) => attachmentDocument(each, fileUrl(each))) }),
    tag: emojis.map(emojiTag),
  };
}
