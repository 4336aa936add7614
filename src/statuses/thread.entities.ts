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
