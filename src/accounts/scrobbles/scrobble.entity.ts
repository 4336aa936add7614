import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { DefaultScope } from '../model/account.shape.js';

/** Something an account listened to (spec §2.6, deprecated). Of each account the newest are kept. */
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

  /** Where it can be heard; may be empty. */
  @Column({ type: 'text', name: 'external_link' })
  externalLink: string;

  /** Who may know of it. */
  @Column({ type: 'text' })
  visibility: DefaultScope;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;
}
