import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Somebody whom the staff suggests to follow. */
@Entity('suggested_accounts')
export class SuggestedAccount {
  @PrimaryColumn({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;
}

/** Somebody does not want a suggestion; the row goes with it. */
@Entity('dismissed_suggestions')
export class DismissedSuggestion {
  @PrimaryColumn({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  @PrimaryColumn({ type: 'text', name: 'target_id', collation: 'C' })
  targetId: string;
}
