import { Check, Column, Entity, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/** How a relay works: LitePub ones announce posts, those of Mastodon's kind pass activities on. */
export type RelayStyle = 'litepub' | 'mastodon';
export type RelayState = 'pending' | 'accepted' | 'rejected';

/** A relay that this server follows. */
@Entity('relays')
@Check(`style in ('litepub', 'mastodon')`)
@Check(`state in ('pending', 'accepted', 'rejected')`)
export class Relay {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'ALWAYS' })
  id: number;

  /** As the operator named it: an actor, or the inbox of a relay of Mastodon's kind. */
  @Column({ type: 'text', unique: true })
  address: string;

  @Column({ type: 'text' })
  style: RelayStyle;

  @Column({ type: 'text', default: 'pending' })
  state: RelayState;

  @Column({ type: 'text' })
  inbox: string;

  /** The id of our Follow. */
  @Column({ type: 'text', name: 'follow_uri', unique: true })
  followUri: string;

  /** Its actor; null for a relay of Mastodon's kind that did not answer yet. */
  @Index('relays_account')
  @Column({ type: 'text', name: 'account_id', collation: 'C', nullable: true })
  accountId: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}

/** A relay that follows the relay actor of this server. */
@Entity('relay_followers')
export class RelayFollower {
  @PrimaryColumn({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
