import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/** An account wants the public posts with a tag in its home timeline. */
@Entity('followed_tags')
export class FollowedTag {
  /** Pages of followed tags are ordered by it. */
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: string;

  @Column({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  @Column({ type: 'bigint', name: 'hashtag_id' })
  hashtagId: string;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;
}

/** How much a tag was used in public posts on a day (UTC): counted again and again while the day lasts, kept for a week. */
@Entity('hashtag_days')
export class HashtagDay {
  @PrimaryColumn({ type: 'bigint', name: 'hashtag_id' })
  hashtagId: string;

  @PrimaryColumn({ type: 'date' })
  day: string;

  @Column({ type: 'integer' })
  uses: number;

  /** Different authors. */
  @Column({ type: 'integer' })
  accounts: number;
}
