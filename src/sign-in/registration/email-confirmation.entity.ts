import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A link in a letter. It proves access to an address, for a week and for this address only. */
@Entity('email_confirmations')
export class EmailConfirmation {
  @PrimaryColumn({ type: 'bytea', name: 'token_hash' })
  tokenHash: Buffer;

  @Column({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  /** The address of the letter. */
  @Column({ type: 'text' })
  email: string;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;
}
