import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

export const REPORT_STATES = ['open', 'closed', 'resolved'] as const;
export type ReportState = (typeof REPORT_STATES)[number];

/** Why somebody reports (reference Report). */
export const REPORT_CATEGORIES = ['spam', 'legal', 'violation', 'other'] as const;
export type ReportCategory = (typeof REPORT_CATEGORIES)[number];

/** Somebody tells those who run the server about an account (spec §2.7). Goes with the reported account. */
@Entity('reports')
export class Report {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  id: string;

  /** Who is reported. */
  @Column({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  /** Who reports; null once that account is gone. */
  @Column({ type: 'text', name: 'actor_id', collation: 'C', nullable: true })
  actorId: string | null;

  /** Plain text. */
  @Column({ type: 'text' })
  comment: string;

  @Column({ type: 'text' })
  category: ReportCategory;

  /** Whether the server of the reported account shall know. */
  @Column({ type: 'boolean' })
  forward: boolean;

  @Column({ type: 'text' })
  state: ReportState;

  /** Whoever of the staff looks after it. */
  @Column({ type: 'text', name: 'assigned_id', collation: 'C', nullable: true })
  assignedId: string | null;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;
}

/** A reported post, with a copy of it: what is deleted or edited later stays known while the report is open. */
@Entity('report_statuses')
export class ReportStatus {
  @PrimaryColumn({ type: 'text', name: 'report_id', collation: 'C' })
  reportId: string;

  /** No foreign key: the post may be gone. */
  @PrimaryColumn({ type: 'text', name: 'status_id', collation: 'C' })
  statusId: string;

  /** The status as the reporter saw it, without the reporter's own marks; null once the report was closed. */
  @Column({ type: 'jsonb', nullable: true })
  copy: unknown;
}

/** A rule that somebody says was broken; shown while there is such a rule. */
@Entity('report_rules')
export class ReportRule {
  @PrimaryColumn({ type: 'text', name: 'report_id', collation: 'C' })
  reportId: string;

  @PrimaryColumn({ type: 'bigint', name: 'rule_id' })
  ruleId: string;
}

/** What one of the staff wrote down about a report. */
@Entity('report_notes')
export class ReportNote {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: string;

  @Column({ type: 'text', name: 'report_id', collation: 'C' })
  reportId: string;

  /** Null once that account is gone. */
  @Column({ type: 'text', name: 'author_id', collation: 'C', nullable: true })
  authorId: string | null;

  @Column({ type: 'text' })
  content: string;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
