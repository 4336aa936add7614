import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { normalizeTag } from '../../common/index.js';

/** A tag's name as it is stored. */
export function tagName(text: string): string {
  return normalizeTag(text.replace(/^#/, ''));
}

/** An account follows a tag: its home timeline shows the public posts with the tag. */
@Entity('followed_tags')
export class FollowedTag {
  /** Pages of followed tags are ordered by this id. */
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: string;

  @Column({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  @Column({ type: 'bigint', name: 'hashtag_id' })
  hashtagId: string;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;
}

/** The use of a tag in public posts on one day (UTC). Recounted while the day lasts, stored for a week. */
@Entity('hashtag_days')
export class HashtagDay {
  @PrimaryColumn({ type: 'bigint', name: 'hashtag_id' })
  hashtagId: string;

  @PrimaryColumn({ type: 'date' })
  day: string;

  @Column({ type: 'integer' })
  uses: number;

  /** Number of different authors. */
  @Column({ type: 'integer' })
  accounts: number;
}
