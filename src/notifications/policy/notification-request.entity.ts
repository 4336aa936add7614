import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** An account whose notifications the receiver's policy filters, or whose notifications the receiver accepts for good. */
@Entity('notification_requests')
export class NotificationRequest {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: string;

  @Column({ type: 'text', name: 'receiver_id', collation: 'C' })
  receiverId: string;

  @Column({ type: 'text', name: 'from_id', collation: 'C' })
  fromId: string;

  /** The policy of the receiver no longer holds for the account. */
  @Column({ type: 'boolean' })
  accepted: boolean;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;

  /** The time of the newest notification that was filtered. */
  @Column({ type: 'timestamptz', name: 'updated_at' })
  updatedAt: Date;
}
