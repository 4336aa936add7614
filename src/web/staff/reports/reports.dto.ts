import { REPORT_STATES } from '../../../admin/index.js';
import { BooleanLike, OneOf, OptionalId, OptionalText, PageNumber } from '../../../common/index.js';

const MAX_WORD = 64;
const MAX_NOTE = 5_000;

/** The states that the list can be filtered by. */
export const REPORT_FILTERS = [...REPORT_STATES, 'all'] as const;

export class ReportsPageQuery {
  @OneOf(REPORT_FILTERS) state: (typeof REPORT_FILTERS)[number] = 'open';
  /** Only those that are assigned to the viewer. */
  @BooleanLike() mine = false;
  /** The reported account. */
  @OptionalId() account?: string;
  @PageNumber() page = 1;
}

export class ReportStateBody {
  /** The service checks it. */
  @OptionalText({ max: MAX_WORD }) state = '';
}

export class ReportAssignmentBody {
  /** Whether to assign the report to the sender; otherwise to nobody. */
  @BooleanLike() mine = false;
}

export class ReportNoteBody {
  @OptionalText({ max: MAX_NOTE }) content = '';
}
