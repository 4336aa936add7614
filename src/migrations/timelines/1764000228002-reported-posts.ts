import { ForwardOnly } from '../forward-only.js';

/** Finds the reports that name a post. */
export class ReportedPosts1764000228002 extends ForwardOnly {
  readonly name = 'ReportedPosts1764000228002';
  protected readonly statements = `
    create index report_statuses_status on report_statuses (status_id);`;
}
