import { html, type PageContent, type Translator } from '../../../common/index.js';
import { STAFF_PATH } from '../frame/staff-sections.js';
import { type ReportRow, reportRows } from '../parts/report-row.part.js';
import { type CountedPage, pageLinks, tabs, withQuery } from '../parts/staff.part.js';
import { REPORT_FILTERS, type ReportsPageQuery } from './reports.dto.js';

const PATH = `${STAFF_PATH}/reports`;

/** A page of the reports. */
export function reportsPage(
  t: Translator,
  rows: readonly ReportRow[],
  counted: CountedPage,
  { state, mine, account = '' }: ReportsPageQuery,
): PageContent {
  const title = t.text('staff.reports');
  const query = { state, mine: mine ? 'true' : '', account };
  const states = REPORT_FILTERS.map(
    (each) => [withQuery(PATH, { ...query, state: each }), t.text(`staff.report.${each}`), each === state] as const,
  );
  const own = [withQuery(PATH, { ...query, mine: mine ? '' : 'true' }), t.text('staff.reports.mine'), mine] as const;
  return {
    title,
    main: html`<h1>${title}</h1>
      ${tabs(t.text('staff.filter'), [...states, own])} ${reportRows(t, rows)} ${pageLinks(t, counted, query)}`,
  };
}
