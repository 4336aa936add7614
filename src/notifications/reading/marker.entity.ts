import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Timelines whose reading position is stored. */
export const MARKED_TIMELINES = ['home', 'notifications'] as const;
export type MarkedTimeline = (typeof MARKED_TIMELINES)[number];

/** The reading position of an account in one of its timelines, shared by all its apps. */
@Entity('markers')
export class Marker {
  @PrimaryColumn({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  @PrimaryColumn({ type: 'text' })
  timeline: MarkedTimeline;

  @Column({ type: 'text', name: 'last_read_id' })
  lastReadId: string;

  /** Incremented by each save. */
  @Column({ type: 'int' })
  version: number;

  @Column({ type: 'timestamptz', name: 'updated_at' })
  updatedAt: Date;
}
