import {
  Describe,
  EmptyToNull,
  Invalid,
  NestedList,
  OneOf,
  OptionalId,
  OptionalText,
  PageNumber,
  PageSize,
  RequiredText,
} from '../common/index.js';
import type { Assignment } from './handled-reports.service.js';
import { REPORT_STATES, type ReportState } from './report.entities.js';

const MAX_ID = 64;
const MAX_NICKNAME = 500;
const MAX_NOTE = 5_000;

export class HandledReportsQuery {
  @Describe('The only state of reports.')
  @OneOf(REPORT_STATES)
  state?: ReportState;
  @Describe('The id of the assigned account.')
  @OptionalId()
  assigned_account?: string;
  @Describe('The id of a rule that the reporter named.')
  @OptionalId()
  rule_id?: string;
  @Describe('The most reports of the page.')
  @PageNumber()
  limit?: number;
  @PageNumber()
  page = 1;
  @PageSize({ max: 100 })
  page_size = 50;

  get size(): number {
    return Math.min(this.page_size, this.limit ?? this.page_size);
  }
}

class ReportStateBody {
  @Describe('The id of the report.')
  @RequiredText({ max: MAX_ID })
  id: string;
  /** The service checks it, since a wrong one fails alone. */
  @Describe('The new state: `open`, `closed` or `resolved`.')
  @RequiredText({ max: MAX_ID })
  state: string;
}

export class ReportStatesBody {
  @Describe('The reports with their new states.')
  @NestedList(() => ReportStateBody)
  reports?: ReportStateBody[];

  get changes(): readonly ReportStateBody[] {
    return required(this.reports);
  }
}

class ReportAssigneeBody {
  @Describe('The id of the report.')
  @RequiredText({ max: MAX_ID })
  id: string;
  @Describe('The nickname of the assigned account; null: none.')
  @EmptyToNull({ max: MAX_NICKNAME })
  nickname?: string | null;
}

export class ReportAssigneesBody {
  @Describe('The reports with their assigned accounts.')
  @NestedList(() => ReportAssigneeBody)
  reports?: ReportAssigneeBody[];

  get changes(): readonly Assignment[] {
    return required(this.reports).map(({ id, nickname }) => {
      if (nickname === undefined) throw new Invalid('nickname is missing');
      return { id, nickname };
    });
  }
}

export class ReportNoteBody {
  @Describe('The text of the note.')
  @OptionalText({ max: MAX_NOTE })
  content = '';
}

function required<T>(list: readonly T[] | undefined): readonly T[] {
  if (list === undefined) throw new Invalid('reports is missing');
  return list;
}
