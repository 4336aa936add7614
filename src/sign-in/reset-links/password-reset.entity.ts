import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A link in a letter that sets a new password: once, within a day. */
@Entity('password_resets')
export class PasswordReset {
  @PrimaryColumn({ type: 'bytea', name: 'token_hash' })
  tokenHash: Buffer;

  @Column({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
