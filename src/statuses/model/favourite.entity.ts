import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A favourite of an account. Lists of favourites are paged by this row's id. */
@Entity('favourites')
export class Favourite {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: string;

  @Column({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  @Column({ type: 'text', name: 'status_id', collation: 'C' })
  statusId: string;

  /** The id of the activity of a remote account. */
  @Column({ type: 'text', nullable: true })
  uri: string | null;

  /** Whether it is in the counters of the post: while its account is not deactivated. */
  @Column({ type: 'boolean' })
  counted: boolean;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;
}
