import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** An archive of an account, requested or made. */
@Entity('backups')
export class Backup {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: string;

  /** Null when the account is gone: the next sweep removes the file. */
  @Column({ type: 'text', name: 'account_id', collation: 'C', nullable: true })
  accountId: string | null;

  /** The key in the storage; chosen before the file is made, so that a retry writes the same one. */
  @Column({ type: 'text', name: 'file_key' })
  fileKey: string;

  /** In bytes. */
  @Column({ type: 'bigint', name: 'file_size' })
  fileSize: string;

  /** Whether the file exists. */
  @Column({ type: 'boolean' })
  processed: boolean;

  @Column({ type: 'timestamptz', name: 'inserted_at' })
  insertedAt: Date;

  /** Whether the staff ordered it: it neither replaces archives that the owner ordered nor counts for the owner's limit. */
  @Column({ type: 'boolean', name: 'by_staff' })
  byStaff: boolean;
}
