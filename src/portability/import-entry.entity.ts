import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { ImportAction } from './import-list.js';

/** One account of a list that somebody handed in, until it is dealt with. */
@Entity('import_entries')
export class ImportEntry {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: string;

  /** Whose list it is. */
  @Column({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  @Column({ type: 'text' })
  action: ImportAction;

  /** `name`, or `name@domain` of another server. */
  @Column({ type: 'text' })
  address: string;

  /** Of a follow: whether boosts are shown. Null: not said. */
  @Column({ type: 'boolean', nullable: true })
  reblogs: boolean | null;

  /** Of a follow: whether each post is told of. Null: not said. */
  @Column({ type: 'boolean', nullable: true })
  notify: boolean | null;

  /** Of a mute: whether notifications are hidden too. Null: not said. */
  @Column({ type: 'boolean', nullable: true })
  notifications: boolean | null;

  /** How often it was tried in vain. */
  @Column({ type: 'smallint' })
  attempts: number;

  @Column({ type: 'timestamptz', name: 'next_at' })
  nextAt: Date;
}
