import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A local account is told of something that somebody did. Goes with the status it is about, and with either account. */
@Entity('notifications')
export class Notification {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: string;

  /** Who is told. */
  @Column({ type: 'text', name: 'receiver_id', collation: 'C' })
  receiverId: string;

  /** One of the neutral names in `notification.types.ts`. */
  @Column({ type: 'text' })
  type: string;

  /** Who did it. */
  @Column({ type: 'text', name: 'from_id', collation: 'C' })
  fromId: string;

  /** The post acted on, or the post that was made; never a boost. */
  @Column({ type: 'text', name: 'status_id', collation: 'C', nullable: true })
  statusId: string | null;

  /** The report that staff is told of. */
  @Column({ type: 'text', name: 'report_id', collation: 'C', nullable: true })
  reportId: string | null;

  /** The chat message that the receiver got. */
  @Column({ type: 'text', name: 'chat_message_id', collation: 'C', nullable: true })
  chatMessageId: string | null;

  /** The account that somebody moved to. */
  @Column({ type: 'text', name: 'target_id', collation: 'C', nullable: true })
  targetId: string | null;

  /** Of an edited post, when its readers were told of it. */
  @Column({ type: 'int', name: 'status_version', nullable: true })
  statusVersion: number | null;

  /** Of a reaction: several by one person are told of one by one. */
  @Column({ type: 'text', nullable: true })
  emoji: string | null;

  /** Read, or made while the receiver wanted to hear nothing of it. */
  @Column({ type: 'boolean' })
  seen: boolean;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;
}
