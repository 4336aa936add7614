import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** The accounts whose actions are pushed: all, followees, followers, none. */
export const PUSH_POLICIES = ['all', 'followed', 'follower', 'none'] as const;
export type PushPolicy = (typeof PUSH_POLICIES)[number];

/** A subscription of one access token to web push (spec §4.3). Deleted with its token. */
@Entity('push_subscriptions')
export class PushSubscription {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: string;

  /** Unique: a token has one subscription. */
  @Column({ type: 'bigint', name: 'token_id' })
  tokenId: string;

  @Column({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  @Column({ type: 'text' })
  endpoint: string;

  /** The subscriber's public key, base64url. */
  @Column({ type: 'text' })
  p256dh: string;

  /** The subscriber's authentication secret, base64url. */
  @Column({ type: 'text' })
  auth: string;

  /** Whether pushes are encrypted by RFC 8291 or in the older form; null when the app did not say. */
  @Column({ type: 'boolean', nullable: true })
  standard: boolean | null;

  /** Neutral names of the types that are pushed. */
  @Column({ type: 'text', array: true })
  alerts: string[];

  @Column({ type: 'text' })
  policy: PushPolicy;

  /** The access token, which each push contains. Sealed for `push-token:<token id>`. */
  @Column({ type: 'bytea', name: 'token_sealed' })
  tokenSealed: Buffer;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
