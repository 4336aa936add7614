import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** Maximum number of notifications stored for an account; more stay until the next night. */
export const KEPT = 5_000;

/** A notification of a local account. Deleted with the status it is about, and with either account. */
@Entity('notifications')
export class Notification {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: string;

  @Column({ type: 'text', name: 'receiver_id', collation: 'C' })
  receiverId: string;

  /** One of the neutral names in `notification.types.ts`. */
  @Column({ type: 'text' })
  type: string;

  /** The account that caused it. */
  @Column({ type: 'text', name: 'from_id', collation: 'C' })
  fromId: string;

  /** The post acted on, or the new post; never a boost. */
  @Column({ type: 'text', name: 'status_id', collation: 'C', nullable: true })
  statusId: string | null;

  @Column({ type: 'text', name: 'report_id', collation: 'C', nullable: true })
  reportId: string | null;

  @Column({ type: 'text', name: 'chat_message_id', collation: 'C', nullable: true })
  chatMessageId: string | null;

  /** For a move: the account moved to. */
  @Column({ type: 'text', name: 'target_id', collation: 'C', nullable: true })
  targetId: string | null;

  /** For an edited post: the version that the receiver was notified of. */
  @Column({ type: 'int', name: 'status_version', nullable: true })
  statusVersion: number | null;

  /** For a reaction: each emoji of one account has its own notification. */
  @Column({ type: 'text', nullable: true })
  emoji: string | null;

  /** Whether it was read, or created as seen because of a mute. */
  @Column({ type: 'boolean' })
  seen: boolean;

  /** The receiver's policy keeps it out of the list: it waits in a request. */
  @Column({ type: 'boolean', default: false })
  filtered: boolean;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;
}
