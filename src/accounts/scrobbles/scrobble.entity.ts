import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { DefaultScope } from '../model/account.shape.js';

/** A track that an account listened to (spec §2.6, deprecated). Only the newest of each account stay. */
@Entity('scrobbles')
export class Scrobble {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: string;

  @Column({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  @Column({ type: 'text' })
  title: string;

  @Column({ type: 'text' })
  artist: string;

  @Column({ type: 'text' })
  album: string;

  /** Milliseconds; 0 when it is not known. */
  @Column({ type: 'int' })
  length: number;

  /** The address of the track; may be empty. */
  @Column({ type: 'text', name: 'external_link' })
  externalLink: string;

  /** The visibility, as of posts. */
  @Column({ type: 'text' })
  visibility: DefaultScope;

  /** The id of the activity of an account of another server. */
  @Column({ type: 'text', nullable: true })
  uri: string | null;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;
}
