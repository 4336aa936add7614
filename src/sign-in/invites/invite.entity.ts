import { Check, Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A link that lets people sign up while registration is closed (spec §2.6). */
@Entity('invites')
@Check('max_use > 0')
export class Invite {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'ALWAYS' })
  id: number;

  @Column({ type: 'bytea', name: 'token_hash', unique: true })
  tokenHash: Buffer;

  /** The token, encrypted: administrators see it in the list of invites. */
  @Column({ type: 'bytea', name: 'token_sealed' })
  tokenSealed: Buffer;

  @Column({ type: 'integer', name: 'max_use', nullable: true })
  maxUse: number | null;

  /** The last day on which it is valid, in UTC. */
  @Column({ type: 'date', name: 'expires_at', nullable: true })
  expiresAt: string | null;

  @Column({ type: 'integer', default: 0 })
  uses: number;

  /** When it was used up or revoked. */
  @Column({ type: 'timestamptz', name: 'ended_at', nullable: true })
  endedAt: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
