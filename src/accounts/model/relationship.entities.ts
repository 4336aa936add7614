import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/** States of a follow. A rejected one has no row. */
export const FOLLOW_PENDING = 0;
export const FOLLOW_ACCEPTED = 1;

/** One account follows another, or asks to. Lists of followers page over `id`. */
@Entity('follows')
export class Follow {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: string;

  @Column({ type: 'text', name: 'follower_id', collation: 'C' })
  followerId: string;

  @Column({ type: 'text', name: 'followee_id', collation: 'C' })
  followeeId: string;

  /** {@link FOLLOW_PENDING} or {@link FOLLOW_ACCEPTED}. */
  @Column({ type: 'smallint' })
  state: number;

  /** Whether the home timeline shows boosts by the followee. */
  @Column({ type: 'boolean' })
  reblogs: boolean;

  /** Whether the follower is notified of each new post. */
  @Column({ type: 'boolean' })
  notify: boolean;

  /** The languages of the posts that the home timeline shows; null: all. */
  @Column({ type: 'text', array: true, nullable: true })
  languages: string[] | null;

  /** The id of the Follow activity. */
  @Column({ type: 'text', nullable: true })
  uri: string | null;

  /** Whether an accepted follow is in the counters of both accounts: while neither is deactivated. Means nothing for a request. */
  @Column({ type: 'boolean' })
  counted: boolean;

  /** Whether the follower is on another server. The database sets it. */
  @Column({ type: 'boolean', name: 'remote_follower', insert: false, update: false })
  remoteFollower: boolean;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;
}

/** One account blocks another. Past `expires_at` the row counts as absent. */
@Entity('blocks')
export class Block {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: string;

  @Column({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  @Column({ type: 'text', name: 'target_id', collation: 'C' })
  targetId: string;

  /** The id of the activity of a remote account. */
  @Column({ type: 'text', nullable: true })
  uri: string | null;

  @Column({ type: 'timestamptz', name: 'expires_at', nullable: true })
  expiresAt: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;
}

/** One account mutes another. Past `expires_at` the row counts as absent. */
@Entity('mutes')
export class Mute {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: string;

  @Column({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  @Column({ type: 'text', name: 'target_id', collation: 'C' })
  targetId: string;

  /** Whether notifications are hidden too. */
  @Column({ type: 'boolean' })
  notifications: boolean;

  @Column({ type: 'timestamptz', name: 'expires_at', nullable: true })
  expiresAt: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;
}

/** An account blocks a domain, but for the accounts it follows there. The list pages over `id`. */
@Entity('domain_blocks')
export class DomainBlock {
  @Column({ type: 'bigint' })
  id: string;

  @PrimaryColumn({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  @PrimaryColumn({ type: 'text' })
  domain: string;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;
}

/** An account's private note about another. */
@Entity('account_notes')
export class AccountNote {
  @PrimaryColumn({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  @PrimaryColumn({ type: 'text', name: 'target_id', collation: 'C' })
  targetId: string;

  /** Never empty. */
  @Column({ type: 'text' })
  comment: string;
}

/** An account recommends a followee on its profile; the row ends with that follow. */
@Entity('endorsements')
export class Endorsement {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: string;

  @Column({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  @Column({ type: 'text', name: 'target_id', collation: 'C' })
  targetId: string;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;
}
