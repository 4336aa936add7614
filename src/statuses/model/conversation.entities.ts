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

/** What a conversation of direct posts is to a local account that takes part in it. Lists page by this row's id. */
@Entity('conversation_participants')
export class ConversationParticipant {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: string;

  @Column({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  @Column({ type: 'bigint', name: 'conversation_id' })
  conversationId: string;

  /** The newest direct post of it that addresses or is by the account; its place in the list. */
  @Column({ type: 'text', name: 'last_status_id', collation: 'C' })
  lastStatusId: string;

  /** Everybody who wrote or was addressed in the posts that the account got, itself too. */
  @Column({ type: 'text', array: true })
  participants: string[];

  /** Whom the account chose to write to; null for all participants. */
  @Column({ type: 'text', array: true, nullable: true })
  recipients: string[] | null;

  /** Somebody else wrote since the account read it or wrote itself. */
  @Column({ type: 'boolean' })
  unread: boolean;
}

/** An account wants to hear no more of a conversation. */
@Entity('thread_mutes')
export class ThreadMute {
  @PrimaryColumn({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  @PrimaryColumn({ type: 'bigint', name: 'conversation_id' })
  conversationId: string;

  /** From then on it does not count. */
  @Column({ type: 'timestamptz', name: 'expires_at', nullable: true })
  expiresAt: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;
}
