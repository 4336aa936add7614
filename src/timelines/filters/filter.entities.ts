import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { FilterAction, FilterPlace } from '../../statuses/index.js';

/** Words and posts that an account hides in some places (reference Filter). An expired filter stays stored. */
@Entity('filters')
export class Filter {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: string;

  @Column({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  @Column({ type: 'text' })
  title: string;

  @Column({ type: 'text', array: true })
  contexts: FilterPlace[];

  @Column({ type: 'text' })
  action: FilterAction;

  /** The filter is not applied from this time on. */
  @Column({ type: 'timestamptz', name: 'expires_at', nullable: true })
  expiresAt: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;
}

/** A word or phrase of a filter. API v1 shows each of them as a filter of its own. */
@Entity('filter_keywords')
export class FilterKeyword {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: string;

  @Column({ type: 'bigint', name: 'filter_id' })
  filterId: string;

  @Column({ type: 'text' })
  keyword: string;

  @Column({ type: 'boolean', name: 'whole_word' })
  wholeWord: boolean;
}

/** A single post of a filter. */
@Entity('filter_statuses')
export class FilterStatus {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: string;

  @Column({ type: 'bigint', name: 'filter_id' })
  filterId: string;

  @Column({ type: 'text', name: 'status_id', collation: 'C' })
  statusId: string;
}
