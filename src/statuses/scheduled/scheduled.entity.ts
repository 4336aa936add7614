import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { ComposeOptions } from '../compose/draft.js';

/** A post that waits for its time. */
@Entity('scheduled_statuses')
export class ScheduledStatus {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: string;

  @Column({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  /** The app that is named with the post. */
  @Column({ type: 'bigint', name: 'app_id', nullable: true })
  appId: string | null;

  @Column({ type: 'timestamptz', name: 'scheduled_at' })
  scheduledAt: Date;

  /** What was asked for; durations count from the moment of posting. */
  @Column({ type: 'jsonb' })
  options: ComposeOptions;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;
}
