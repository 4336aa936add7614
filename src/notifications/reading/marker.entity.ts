import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Lists whose reading position is kept. */
export const MARKED_TIMELINES = ['home', 'notifications'] as const;
export type MarkedTimeline = (typeof MARKED_TIMELINES)[number];

/** How far an account has read one of its lists, for all its apps. */
@Entity('markers')
export class Marker {
  @PrimaryColumn({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  @PrimaryColumn({ type: 'text' })
  timeline: MarkedTimeline;

  @Column({ type: 'text', name: 'last_read_id' })
  lastReadId: string;

  /** Raised by each save. */
  @Column({ type: 'int' })
  version: number;

  @Column({ type: 'timestamptz', name: 'updated_at' })
  updatedAt: Date;
}
