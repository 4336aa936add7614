import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import type { PageCard } from './page-card.js';

/** What a page says about itself, asked once for all posts that link to it. */
@Entity('cards')
export class PreviewCard {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: string;

  /** Unique. */
  @Column({ type: 'text' })
  url: string;

  /** Null when there is nothing to show, as far as is known. */
  @Column({ type: 'jsonb', nullable: true })
  preview: PageCard | null;

  /** Raised when the page says something else. */
  @Column({ type: 'integer' })
  revision: number;

  /** When the page was last asked, whatever came of it. */
  @Column({ type: 'timestamptz', name: 'fetched_at', nullable: true })
  fetchedAt: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;
}

/** The page that a post shows. */
@Entity('status_cards')
export class StatusCard {
  @PrimaryColumn({ type: 'text', name: 'status_id', collation: 'C' })
  statusId: string;

  @Column({ type: 'bigint', name: 'card_id' })
  cardId: string;

  /** The one of the card that the post shows. */
  @Column({ type: 'integer' })
  revision: number;
}
