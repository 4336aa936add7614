import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

export const REPORT_STATES = ['open', 'closed', 'resolved'] as const;
export type ReportState = (typeof REPORT_STATES)[number];

/** The categories of reports (reference Report). */
export const REPORT_CATEGORIES = ['spam', 'legal', 'violation', 'other'] as const;
export type ReportCategory = (typeof REPORT_CATEGORIES)[number];

/** A report about an account to the server's staff (spec §2.7). Deleted with the reported account. */
@Entity('reports')
export class Report {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  id: string;

  /** The reported account. */
  @Column({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  /** The reporter; null once that account is gone. */
  @Column({ type: 'text', name: 'actor_id', collation: 'C', nullable: true })
  actorId: string | null;

  /** Plain text. */
  @Column({ type: 'text' })
  comment: string;

  @Column({ type: 'text' })
  category: ReportCategory;

  /** Whether to forward the report to the account's server. */
  @Column({ type: 'boolean' })
  forward: boolean;

  @Column({ type: 'text' })
  state: ReportState;

  /** The assigned member of the staff. */
  @Column({ type: 'text', name: 'assigned_id', collation: 'C', nullable: true })
  assignedId: string | null;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;
}

/** A reported post with a copy, so that edits and deletions do not hide it while the report is open. */
@Entity('report_statuses')
export class ReportStatus {
  @PrimaryColumn({ type: 'text', name: 'report_id', collation: 'C' })
  reportId: string;

  /** No foreign key: the post may be deleted. */
  @PrimaryColumn({ type: 'text', name: 'status_id', collation: 'C' })
  statusId: string;

  /** The status as the reporter saw it, without the reporter's state. */
  @Column({ type: 'jsonb', nullable: true })
  copy: unknown;

  /** When the row goes; null while the report is open. */
  @Column({ type: 'timestamptz', name: 'expires_at', nullable: true })
  expiresAt: Date | null;
}

/** A file of a reported post, which stays as long as the copies of the report. */
@Entity('report_files')
export class ReportFile {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: string;

  @Column({ type: 'text', name: 'report_id', collation: 'C' })
  reportId: string;

  /** The key of a stored file, or the address of one of another server. */
  @Column({ type: 'text' })
  file: string;
}

/** A broken rule named by the reporter; shown while the rule exists. */
@Entity('report_rules')
export class ReportRule {
  @PrimaryColumn({ type: 'text', name: 'report_id', collation: 'C' })
  reportId: string;

  @PrimaryColumn({ type: 'bigint', name: 'rule_id' })
  ruleId: string;
}

/** A note by the staff on a report. */
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
