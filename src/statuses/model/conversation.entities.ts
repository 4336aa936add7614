import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/** The context that a post and its replies share. */
@Entity('conversations')
export class Conversation {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: string;

  @Column({ type: 'text' })
  uri: string;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;
}

/** A local participant's view of a conversation of direct posts. */
@Entity('conversation_participants')
export class ConversationParticipant {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: string;

  @Column({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  @Column({ type: 'bigint', name: 'conversation_id' })
  conversationId: string;

  /** The newest direct post in it that is by the account or addresses it. Lists are ordered and paged by it. */
  @Column({ type: 'text', name: 'last_status_id', collation: 'C' })
  lastStatusId: string;

  /** All authors and addressees of the posts that the account received, including itself. */
  @Column({ type: 'text', array: true })
  participants: string[];

  /** The recipients that the account chose; null for all participants. */
  @Column({ type: 'text', array: true, nullable: true })
  recipients: string[] | null;

  /** Whether another participant posted since the account last read it or posted in it. */
  @Column({ type: 'boolean' })
  unread: boolean;

  /**
   * The first post that made it unread, while it is unread; null where the account marked it as unread, and where it was unread
   * before the column was there.
   */
  @Column({ type: 'text', name: 'unread_from', collation: 'C', nullable: true })
  unreadFrom: string | null;
}

/** A mute of a conversation by an account. */
@Entity('thread_mutes')
export class ThreadMute {
  @PrimaryColumn({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  @PrimaryColumn({ type: 'bigint', name: 'conversation_id' })
  conversationId: string;

  /** From this time on the mute has no effect. */
  @Column({ type: 'timestamptz', name: 'expires_at', nullable: true })
  expiresAt: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;
}
