import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A link that sets a new password: once, within a day. */
@Entity('password_resets')
export class PasswordReset {
  @PrimaryColumn({ type: 'bytea', name: 'token_hash' })
  tokenHash: Buffer;

  @Column({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  /** Whether it is in a letter that counts among those of an hour. */
  @Column({ type: 'boolean', name: 'is_counted', default: true })
  isCounted: boolean;
}
