import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A captcha that was tried: it counts once. Removed after it expires. */
@Entity('used_captchas')
export class UsedCaptcha {
  /** SHA-256 of its token. */
  @PrimaryColumn({ type: 'bytea', name: 'token_hash' })
  tokenHash: Buffer;

  @Column({ type: 'timestamptz', name: 'expires_at' })
  expiresAt: Date;
}
