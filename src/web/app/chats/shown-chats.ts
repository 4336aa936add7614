import type { AccountJson } from '../../../accounts/index.js';
import type { ChatJson, ChatMessageJson } from '../../../chats/index.js';
import { extensionOf, type Json, textOfHtml } from '../../../common/index.js';
import {
  type Emojis,
  emojisOf,
  excerpt,
  type ShownContext,
  type ShownFile,
  shownFile,
  type ShownPerson,
  shownPerson,
} from '../../parts/shown.js';
import { objectOf } from '../../parts/rendered.js';

const WORDS_LENGTH = 100;

/** A message of a chat, as its viewer has it. */
export interface ShownMessage {
  readonly id: string;
  readonly isOwn: boolean;
  readonly isUnread: boolean;
  /** Markup without elements besides line breaks; empty when it is only a file. */
  readonly html: string;
  /** The beginning of its text. */
  readonly words: string;
  readonly at: string;
  readonly emojis: Emojis;
  readonly file: ShownFile | undefined;
}

/** A chat of the signed-in person. */
export interface ShownChat {
  readonly id: string;
  /** The other side. */
  readonly person: ShownPerson;
  /** Whether the other side says that it takes messages. An account of another server may say nothing. */
  readonly isOpen: boolean;
  /** The number of unread messages. */
  readonly unread: number;
  readonly newest: ShownMessage | undefined;
}

/** A page of the list. */
export interface ChatList {
  readonly chats: readonly ShownChat[];
  /** The `max_id` of the next page; undefined on the last one. */
  readonly older: string | undefined;
}

/** The message that somebody is writing. */
export interface MessageDraft {
  readonly content: string;
  readonly description: string;
  /** A file that was sent with an earlier try. */
  readonly fileId: string | undefined;
}

/** A page of messages. */
export interface MessageList {
  readonly chat: ShownChat;
  /** Newest last. */
  readonly messages: readonly ShownMessage[];
  readonly older: string | undefined;
  /** Whether the newest messages are shown. */
  readonly isNewest: boolean;
  readonly draft: MessageDraft;
  /** Why the message was not sent. */
  readonly alarm: string | undefined;
}

/** Takes the shown parts of a chat. */
export function shownChat(json: Json, viewerId: string, context: ShownContext): ShownChat {
  const { id, account, unread, last_message: newest } = objectOf<ChatJson>(json);
  const { accepts_chat_messages: accepts } = extensionOf<AccountJson['svc']>(account, context.brand);
  return {
    id,
    person: shownPerson(account, context),
    isOpen: accepts !== false,
    unread,
    newest: newest ? shownMessage(newest, viewerId, context) : undefined,
  };
}

/** Takes the shown parts of a message. */
export function shownMessage(message: ChatMessageJson, viewerId: string, context: ShownContext): ShownMessage {
  const { id, account_id: senderId, content, created_at: at, attachment, unread } = message;
  return {
    id,
    isOwn: senderId === viewerId,
    isUnread: unread,
    html: content ?? '',
    words: excerpt(textOfHtml(content ?? ''), WORDS_LENGTH),
    at,
    emojis: emojisOf(message, context),
    file: attachment ? shownFile(attachment, context) : undefined,
  };
}
