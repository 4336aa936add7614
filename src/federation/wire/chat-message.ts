import type { StoredEmoji } from '../../emoji/index.js';
import type { RemoteAttachment } from '../../media/index.js';
import { addresseesOf } from './addressing.js';
import { parseAttachments } from './attachments.js';
import { parseTags } from './tags.js';
import { sameHost } from './uris.js';
import { type Document, documentOf, idOf, typeOf, uriOf } from './values.js';
import { plainWordsOf } from './words.js';

/** More than is kept: it is HTML. In characters. */
const MAX_CONTENT = 100_000;

/** A chat message of another server. */
export interface RemoteChatMessage {
  readonly id: string;
  /** On the server of the message. */
  readonly attributedTo: string;
  /** The one account that it is for. */
  readonly to: string;
  /** HTML; empty when it is only a file. */
  readonly content: string;
  readonly emojis: readonly StoredEmoji[];
  readonly attachment: RemoteAttachment | undefined;
}

/** Whether a document says that it is a chat message. */
export function isChatMessage(json: unknown): boolean {
  return typeOf(documentOf(json)) === 'ChatMessage';
}

/** Reads a chat message; undefined for other objects, and for messages without exactly one addressee (federation: ChatMessage). */
export function parseChatMessage(json: unknown): RemoteChatMessage | undefined {
  const object = documentOf(json);
  const id = uriOf(object?.['id']);
  if (!object || !isChatMessage(object) || id === undefined) return undefined;
  const attributedTo = idOf(object['attributedTo']) ?? idOf(object['actor']);
  const to = onlyRecipient(object);
  if (attributedTo === undefined || to === undefined || !sameHost(id, attributedTo)) return undefined;
  const content = plainWordsOf(object, 'content', MAX_CONTENT);
  const [attachment] = parseAttachments(object['attachment']);
  return { id, attributedTo, to, content, emojis: parseTags(object['tag']).emojis, attachment };
}

function onlyRecipient(object: Document): string | undefined {
  const { to, cc } = addresseesOf(object);
  return to.length === 1 && cc.length === 0 ? to[0] : undefined;
}
