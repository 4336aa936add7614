import { Injectable } from '@nestjs/common';
import { AccountView } from '../accounts/index.js';
import { escapeHtml, Json, NotFound, unique } from '../common/index.js';
import { EmojiCache, type EmojiJson, storedEmoji } from '../emoji/index.js';
import { AttachmentView, MediaUrls } from '../media/index.js';
import type { ChatRow, MessageRow, OwnedChatRow } from './chat.sql.js';

/** Chats and their messages as JSON (spec §2.5). One statement for any number of chats, none for messages. */
@Injectable()
export class ChatView {
  constructor(
    private readonly accounts: AccountView,
    private readonly emoji: EmojiCache,
    private readonly attachments: AttachmentView,
    private readonly urls: MediaUrls,
  ) {}

  /** Chats in their order; those whose partner is gone at this moment are left out. */
  async many(rows: readonly ChatRow[], viewerId: string): Promise<Json[]> {
    const accounts = await this.accounts.many(
      rows.map(({ partnerId }) => partnerId),
      { viewerId },
    );
    return rows.flatMap((row) => this.whole(row, accounts) ?? []);
  }

  /** Chats of many owners, each as its owner sees it; undefined for those whose partner is gone at this moment. */
  async forOwners(rows: readonly OwnedChatRow[]): Promise<(Json | undefined)[]> {
    const accountsFor = await this.accounts.renderShared(
      await this.accounts.begin(rows.map(({ partnerId }) => partnerId)),
    );
    return rows.map((row) => this.whole(row, accountsFor(row.ownerId)));
  }

  /** Throws NotFound when the partner is gone at this moment. */
  async one(row: ChatRow, viewerId: string): Promise<Json> {
    const [chat] = await this.many([row], viewerId);
    if (!chat) throw new NotFound();
    return chat;
  }

  /** Chats as staff sees them: with both sides. */
  async forStaff(rows: readonly OwnedChatRow[], viewerId: string): Promise<Json[]> {
    const ids = unique(rows.flatMap(({ ownerId, partnerId }) => [ownerId, partnerId]));
    const accounts = await this.accounts.many(ids, { viewerId });
    return rows.flatMap((row) => {
      const [sender, receiver] = [accounts.get(row.ownerId), accounts.get(row.partnerId)];
      const { id, unreadCount: unread, updatedAt } = row;
      const sides = { id, sender, receiver, unread, updated_at: updatedAt, last_message: this.lastMessage(row) };
      return sender && receiver ? [Json.object(sides)] : [];
    });
  }

  /** A chat without its last message. Throws NotFound when the partner is gone at this moment. */
  async read(row: ChatRow, viewerId: string): Promise<Json> {
    const account = (await this.accounts.many([row.partnerId], { viewerId })).get(row.partnerId);
    if (!account) throw new NotFound();
    return Json.object(this.chat(row, account));
  }

  message(row: MessageRow): Json {
    const [attachment] = row.attachments ?? [];
    return Json.object({
      id: row.messageId,
      chat_id: row.chatId,
      account_id: row.senderId,
      content: row.content === '' ? null : chatHtml(row.content),
      created_at: row.createdAt,
      emojis: this.emojisOf(row),
      attachment: attachment ? this.attachments.one(attachment) : null,
      card: null,
      unread: row.unread,
      ...(row.idempotencyKey === null ? {} : { idempotency_key: row.idempotencyKey }),
    });
  }

  private whole(row: ChatRow, accounts: ReadonlyMap<string, Json>): Json | undefined {
    const account = accounts.get(row.partnerId);
    return account && Json.object({ ...this.chat(row, account), last_message: this.lastMessage(row) });
  }

  private chat({ id, unreadCount: unread, updatedAt }: ChatRow, account: Json) {
    return { id, account, unread, updated_at: updatedAt };
  }

  private lastMessage(row: ChatRow): Json | null {
    return hasMessage(row) ? this.message(row) : null;
  }

  private emojisOf({ emojis, content }: MessageRow): EmojiJson[] {
    if (emojis === null) return this.emoji.usedIn({ plain: [content] });
    return storedEmoji(emojis, (url) => this.urls.remote(url));
  }
}

/** The plain text of a message as HTML: escaped, with its lines, and nothing else. */
export function chatHtml(text: string): string {
  return escapeHtml(text).replace(/\r?\n/g, '<br>');
}

function hasMessage(row: ChatRow): row is ChatRow & MessageRow {
  return row.messageId !== null;
}
