import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An account that the staff suggests to follow. */
@Entity('suggested_accounts')
export class SuggestedAccount {
  @PrimaryColumn({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;
}

/** A viewer dismissed a suggestion; the row ends with the suggestion. */
@Entity('dismissed_suggestions')
export class DismissedSuggestion {
  @PrimaryColumn({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  @PrimaryColumn({ type: 'text', name: 'target_id', collation: 'C' })
  targetId: string;
}
