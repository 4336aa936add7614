import { Injectable } from '@nestjs/common';
import type { StoredEmoji } from '../emoji/index.js';
import { Database, type Keyset, UnitOfWork } from '../platform/index.js';
import { Chat, ChatEntry, ChatMessage } from './chat.entities.js';
import {
  blockBetween,
  chatById,
  chatForStaff,
  chatPage,
  type ChatRow,
  type OwnedChatRow,
  chatsForStaff,
  chatsWithMessages,
  messageById,
  messagesByIds,
  messagePage,
  type MessageRow,
  openChat,
  ownChat,
  readChat,
  storeMessage,
} from './chat.sql.js';

/** A new message. */
export interface NewMessage {
  readonly id: string;
  readonly uri: string;
  readonly senderId: string;
  readonly recipientId: string;
  readonly content: string;
  readonly emojis: readonly StoredEmoji[] | null;
  readonly idempotencyKey: string | null;
}

/** The new text of a message. */
type Rewritten = Pick<NewMessage, 'uri' | 'senderId' | 'recipientId' | 'content'> & {
  readonly emojis: readonly StoredEmoji[];
};

/** A local party of a message, with the id of its chat in case it has none yet. */
export interface Side {
  readonly chatId: string;
  readonly ownerId: string;
  readonly partnerId: string;
}

/** All SQL on `chats`, `chat_messages` and `chat_entries`. */
@Injectable()
export class ChatsRepository {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  /** In the order of the statement: oldest first for `newer`. */
  page(
    ownerId: string,
    withMuted: boolean,
    { direction, below, above, limit }: Keyset,
    offset: number,
  ): Promise<ChatRow[]> {
    return this.db.rows(chatPage[direction], [ownerId, withMuted, below, above, limit, offset]);
  }

  one(id: string, ownerId: string): Promise<ChatRow | undefined> {
    return this.db.first(chatById, [ownerId, id]);
  }

  /** The chat of a pair: made now unless there is one. */
  async open(newId: string, ownerId: string, partnerId: string): Promise<string> {
    await this.db.run(openChat, [newId, ownerId, partnerId]);
    const { id } = await this.uow.manager.findOneByOrFail(Chat, { ownerId, partnerId });
    return id;
  }

  /** Undefined while the partner is deactivated. */
  own(id: string, ownerId: string): Promise<{ partnerId: string } | undefined> {
    return this.db.first(ownChat, [ownerId, id]);
  }

  ofOwnerForStaff(ownerId: string): Promise<OwnedChatRow[]> {
    return this.db.rows(chatsForStaff, [ownerId]);
  }

  oneForStaff(id: string): Promise<OwnedChatRow | undefined> {
    return this.db.first(chatForStaff, [id]);
  }

  messages(id: string, ownerId: string, { direction, below, above, limit }: Keyset): Promise<MessageRow[]> {
    return this.db.rows(messagePage[direction], [ownerId, id, below, above, limit]);
  }

  /** Of a deactivated partner only `forStaff`. */
  message(id: string, messageId: string, ownerId: string, forStaff: boolean): Promise<MessageRow | undefined> {
    return this.db.first(messageById, [ownerId, id, messageId, forStaff]);
  }

  ofOwner(ownerId: string, messageIds: readonly string[]): Promise<MessageRow[]> {
    return this.db.rows(messagesByIds, [ownerId, messageIds]);
  }

  withMessages(messageIds: readonly string[]): Promise<(OwnedChatRow & MessageRow)[]> {
    return this.db.rows(chatsWithMessages, [messageIds]);
  }

  /** False when a message with this URI is stored already. */
  async store(message: NewMessage, sides: readonly Side[]): Promise<boolean> {
    const { id, uri, senderId, recipientId, content, emojis, idempotencyKey } = message;
    const written = await this.db.run(storeMessage, [
      id,
      uri,
      senderId,
      recipientId,
      content,
      emojis && JSON.stringify(emojis),
      idempotencyKey,
      sides.map(({ chatId }) => chatId),
      sides.map(({ ownerId }) => ownerId),
      sides.map(({ partnerId }) => partnerId),
    ]);
    return written > 0;
  }

  /** Replaces the text of a message of this sender for this recipient. */
  async rewrite({ uri, senderId, recipientId, content, emojis }: Rewritten): Promise<void> {
    await this.uow.manager.update(ChatMessage, { uri, senderId, recipientId }, { content, emojis: [...emojis] });
  }

  /** Marks a slice of the messages up to one as read; returns the ids of those that were unread, newest first. */
  async readUpTo(chatId: string, messageId: string): Promise<string[]> {
    return (await this.db.rows(readChat, [chatId, messageId])).map((row) => row.messageId);
  }

  async read(chatId: string, messageId: string): Promise<void> {
    await this.uow.manager.update(ChatEntry, { chatId, messageId }, { unread: false });
  }

  async isBlocked(accountId: string, otherId: string): Promise<boolean> {
    return (await this.db.first(blockBetween, [accountId, otherId]))?.isBlocked ?? false;
  }

  byId(messageId: string): Promise<ChatMessage | null> {
    return this.uow.manager.findOneBy(ChatMessage, { id: messageId });
  }

  byUri(uri: string): Promise<ChatMessage | null> {
    return this.uow.manager.findOneBy(ChatMessage, { uri });
  }

  /** Removes a message for both sides; false when it is gone. */
  async remove(messageId: string): Promise<boolean> {
    return (await this.uow.manager.delete(ChatMessage, { id: messageId })).affected === 1;
  }

  /** Removes a message for one side; answers whether the other still has it. */
  async leave(chatId: string, messageId: string): Promise<boolean> {
    await this.uow.manager.delete(ChatEntry, { chatId, messageId });
    return this.uow.manager.existsBy(ChatEntry, { messageId });
  }
}
