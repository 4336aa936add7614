import { BooleanLike, IdList, Invalid, OneOf, OptionalId, OptionalText } from '../common/index.js';
import { REPORT_CATEGORIES, type ReportCategory } from './report.entities.js';
import type { NewReport } from './reports.service.js';

export class ReportBody {
  @OptionalId() account_id?: string;
  @IdList() status_ids: string[] = [];
  /** The service checks the length, since its error differs from that of other texts. */
  @OptionalText({ max: Number.MAX_SAFE_INTEGER }) comment = '';
  @BooleanLike() forward = false;
  @IdList() rule_ids: string[] = [];
  @OneOf(REPORT_CATEGORIES) category: ReportCategory = 'other';

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
