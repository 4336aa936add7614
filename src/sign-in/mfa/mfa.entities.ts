import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The second factor of an account: the secret that it shares with an authenticator app. */
@Entity('second_factors')
export class SecondFactor {
  @PrimaryColumn({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  /** The secret, sealed for `totp:<account id>`. */
  @Column({ type: 'bytea', name: 'totp_sealed' })
  totpSealed: Buffer;

  /** Null until the owner sends a first code: before, sign-ins need no code. */
  @Column({ type: 'timestamptz', name: 'confirmed_at', nullable: true })
  confirmedAt: Date | null;

  /** The time step of the last accepted code. Codes of this step and earlier ones are refused. */
  @Column({ type: 'bigint', name: 'last_step' })
  lastStep: string;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;
}

/** A code that signs in once without the authenticator app. */
@Entity('recovery_codes')
export class RecoveryCode {
  @PrimaryColumn({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  /** SHA-256 of the code, which has 80 random bits. */
  @PrimaryColumn({ type: 'bytea', name: 'code_hash' })
  codeHash: Buffer;
}

/** A sign-in with the right password that waits for a code. */
@Entity('mfa_challenges')
export class MfaChallenge {
  /** SHA-256 of its token. */
  @PrimaryColumn({ type: 'bytea', name: 'token_hash' })
  tokenHash: Buffer;

  @Column({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  /** The kind of the sign-in: a challenge is of use only where it was opened. */
  @Column({ type: 'text' })
  purpose: string;

  /** The data that the sign-in goes on with. */
  @Column({ type: 'jsonb' })
  data: Record<string, unknown>;

  /** The codes that were tried. */
  @Column({ type: 'smallint' })
  tries: number;

  @Column({ type: 'timestamptz', name: 'expires_at' })
  expiresAt: Date;
}
