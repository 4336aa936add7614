import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import type { CardAuthor, PageCard } from './page-card.js';

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

  /** The account that the page names as its author, whether that account agrees or not. */
  @Column({ type: 'text', name: 'author_id', collation: 'C', nullable: true })
  authorId: string | null;

  /** The host of the page when it was fetched, which the account has to name in turn. */
  @Column({ type: 'text', name: 'author_host', nullable: true })
  authorHost: string | null;

  /** What is shown of that account; null unless it is active and agrees. */
  @Column({ type: 'jsonb', nullable: true })
  author: CardAuthor | null;

  /** Incremented when the preview or the author changes. */
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
