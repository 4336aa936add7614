import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** A message in the shoutbox. */
@Entity('shouts')
export class Shout {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id: string;

  @Index('shouts_account')
  @Column({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  @Column({ type: 'text' })
  text: string;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
