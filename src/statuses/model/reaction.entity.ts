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

  /** The emoji, fully qualified; of a custom one its shortcode, with `@` and its domain when it is another server's. */
  @Column({ type: 'text' })
  name: string;

  /** The picture of another server's emoji. */
  @Column({ type: 'text', nullable: true })
  url: string | null;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;
}
