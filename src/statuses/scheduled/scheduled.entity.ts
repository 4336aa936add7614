import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { ComposeOptions } from '../compose/draft.js';

/** A scheduled post. */
@Entity('scheduled_statuses')
export class ScheduledStatus {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: string;

  @Column({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  /** The app that the post will show. */
  @Column({ type: 'bigint', name: 'app_id', nullable: true })
  appId: string | null;

  @Column({ type: 'timestamptz', name: 'scheduled_at' })
  scheduledAt: Date;

  /** The input for the post. Durations count from the time of posting. */
  @Column({ type: 'jsonb' })
  options: ComposeOptions;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;
}
