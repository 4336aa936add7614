import { BooleanLike, Describe, IdList, Invalid, OneOf, OptionalId, OptionalText } from '../common/index.js';
import { REPORT_CATEGORIES, type ReportCategory } from './report.entities.js';
import type { NewReport } from './reports.service.js';

export class ReportBody {
  @Describe('The id of the reported account.')
  @OptionalId()
  account_id?: string;
  @Describe('The ids of reported posts of the account.')
  @IdList()
  status_ids: string[] = [];
  /** The service checks the length, since its error differs from that of other texts. */
  @Describe('The reasons, for the staff.')
  @OptionalText({ max: Number.MAX_SAFE_INTEGER })
  comment = '';
  @Describe('Whether to report the account to its own server too.')
  @BooleanLike()
  forward = false;
  @Describe('The ids of the broken rules.')
  @IdList()
  rule_ids: string[] = [];
  @Describe('The kind of the report.')
  @OneOf(REPORT_CATEGORIES)
  category: ReportCategory = 'other';

  /** Throws Invalid without an account. */
  report(): NewReport {
    if (this.account_id === undefined) throw new Invalid('account_id is missing');
    return {
      accountId: this.account_id,
      statusIds: this.status_ids,
      comment: this.comment,
      forward: this.forward,
      ruleIds: this.rule_ids,
      category: this.category,
    };
  }
}
