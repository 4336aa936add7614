import { ForwardOnly } from '../forward-only.js';

/** Copies of reported posts stay for a time after the report was closed, so that it can be opened again with them. */
export class ReportCopies1764000035000 extends ForwardOnly {
  readonly name = 'ReportCopies1764000035000';
  protected readonly statements = `
    alter table report_statuses add column expires_at timestamptz;
    create index report_statuses_expiry on report_statuses (expires_at) where expires_at is not null;
  `;
}
