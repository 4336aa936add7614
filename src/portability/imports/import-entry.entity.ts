import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { ImportAction } from './import-list.js';

/** One account of an imported list, until it is processed. */
@Entity('import_entries')
export class ImportEntry {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: string;

  /** The owner of the list. */
  @Column({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  @Column({ type: 'text' })
  action: ImportAction;

  /** `name`, or `name@domain` of another server. */
  @Column({ type: 'text' })
  address: string;

  /** For a follow: whether boosts are shown. Null: unspecified. */
  @Column({ type: 'boolean', nullable: true })
  reblogs: boolean | null;

  /** For a follow: whether each post notifies. Null: unspecified. */
  @Column({ type: 'boolean', nullable: true })
  notify: boolean | null;

  /** For a follow: the languages of the posts that are shown. Null: unspecified. */
  @Column({ type: 'text', array: true, nullable: true })
  languages: string[] | null;

  /** For a mute: whether notifications are hidden too. Null: unspecified. */
  @Column({ type: 'boolean', nullable: true })
  notifications: boolean | null;

  /** The number of failed attempts. */
  @Column({ type: 'smallint' })
  attempts: number;

  @Column({ type: 'timestamptz', name: 'next_at' })
  nextAt: Date;
}
