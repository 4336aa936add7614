import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** An emoji that an account put under a status. */
@Entity('reactions')
export class Reaction {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: string;

  @Column({ type: 'text', name: 'status_id', collation: 'C' })
  statusId: string;

  @Column({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  /** The emoji, fully qualified. */
  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;
}
