import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * A row of a local reader's home timeline. A feed row grants no access: every read checks visibility, blocks and mutes
 * again. No foreign keys: rows of deleted statuses join nothing and are trimmed later.
 */
@Entity('home_feed')
export class HomeFeedRow {
  @PrimaryColumn({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  @PrimaryColumn({ type: 'text', name: 'status_id', collation: 'C' })
  statusId: string;

  /** The account that posted or boosted. */
  @Column({ type: 'text', name: 'author_id', collation: 'C' })
  authorId: string;

  @Column({ type: 'text', name: 'reblog_of_id', collation: 'C', nullable: true })
  reblogOfId: string | null;
}
