import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { StoredEmoji } from '../emoji/index.js';

/** A chat as one of its two parties has it: only local accounts own chats. Each pair has one for each side. */
@Entity('chats')
export class Chat {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  id: string;

  @Column({ type: 'text', name: 'owner_id', collation: 'C' })
  ownerId: string;

  @Column({ type: 'text', name: 'partner_id', collation: 'C' })
  partnerId: string;

  /** The id of its newest message, or its own until there is one: lists are in this order. */
  @Column({ type: 'text', collation: 'C' })
  position: string;

  @Column({ type: 'timestamptz', name: 'updated_at' })
  updatedAt: Date;
}

/** A message between two accounts, stored once for both. */
@Entity('chat_messages')
export class ChatMessage {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  id: string;

  /** Its protocol id. */
  @Column({ type: 'text' })
  uri: string;

  @Column({ type: 'text', name: 'sender_id', collation: 'C' })
  senderId: string;

  @Column({ type: 'text', name: 'recipient_id', collation: 'C' })
  recipientId: string;

  /** Plain text; empty when it is only a file. */
  @Column({ type: 'text' })
  content: string;

  /** The custom emoji of a message from another server; null for local ones, whose emoji are those of this server. */
  @Column({ type: 'jsonb', nullable: true })
  emojis: StoredEmoji[] | null;

  /** The `Idempotency-Key` of the sender's app. */
  @Column({ type: 'text', name: 'idempotency_key', nullable: true })
  idempotencyKey: string | null;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;
}

/** A message as one side has it. */
@Entity('chat_entries')
export class ChatEntry {
  @PrimaryColumn({ type: 'text', name: 'chat_id', collation: 'C' })
  chatId: string;

  @PrimaryColumn({ type: 'text', name: 'message_id', collation: 'C' })
  messageId: string;

  @Column({ type: 'boolean' })
  unread: boolean;
}
