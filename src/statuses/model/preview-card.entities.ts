import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import type { PageCard } from './page-card.js';

/** The preview of a page, fetched once for all posts that link to it. */
@Entity('cards')
export class PreviewCard {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: string;

  /** Unique. */
  @Column({ type: 'text' })
  url: string;

  /** Null until a fetch finds something to show. */
  @Column({ type: 'jsonb', nullable: true })
  preview: PageCard | null;

  /** Incremented when the preview changes. */
  @Column({ type: 'integer' })
  revision: number;

  /** When the page was last fetched, successfully or not. */
  @Column({ type: 'timestamptz', name: 'fetched_at', nullable: true })
  fetchedAt: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;
}

/** The card of a post. */
@Entity('status_cards')
export class StatusCard {
  @PrimaryColumn({ type: 'text', name: 'status_id', collation: 'C' })
  statusId: string;

  @Column({ type: 'bigint', name: 'card_id' })
  cardId: string;

  /** The revision of the card that the post shows. */
  @Column({ type: 'integer' })
  revision: number;
}
