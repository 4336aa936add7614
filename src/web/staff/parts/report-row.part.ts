import type { StaffReportJson } from '../../../admin/index.js';
import { type Html, html, type Translator } from '../../../common/index.js';
import type { StaffPerson, StaffShown } from '../frame/staff-shown.js';
import { STAFF_PATH } from '../frame/staff-sections.js';
import { personLine } from './staff.part.js';

/** A report in a list. */
export interface ReportRow {
  readonly id: string;
  readonly state: StaffReportJson['state'];
  readonly createdAt: string;
  readonly account: StaffPerson;
  readonly actor: StaffPerson | undefined;
  readonly assigned: StaffPerson | undefined;
  readonly statuses: number;
}

export const reportPath = (id: string) => `${STAFF_PATH}/reports/${id}`;

/** Takes the parts of a row from a report. */
export function reportRow(report: StaffReportJson, shown: StaffShown): ReportRow {
  const { id, state, created_at: createdAt, account, actor, assigned_account: assigned, statuses } = report;
  return {
    id,
    state,
    createdAt,
    account: shown.person(account),
    actor: actor === null ? undefined : shown.person(actor),
    assigned: assigned === null ? undefined : shown.person(assigned),
    statuses: statuses.length,
  };
}

/** A list of reports. */
export function reportRows(t: Translator, rows: readonly ReportRow[]): Html {
  if (rows.length === 0) return html`<p class="soft">${t.text('staff.reports.none')}</p>`;
  return html`<ul class="rows">
    ${rows.map((row) => html`<li>${personLine(row.account, reportPath(row.id), facts(t, row))}</li>`)}
  </ul>`;
}

function facts(t: Translator, { state, createdAt, actor, assigned, statuses }: ReportRow): Html {
  const by = actor && t.html('staff.report.by', { name: actor.name });
  const to = assigned && t.html('staff.report.assigned', { name: assigned.name });
  return html`<br /><span class="soft"
      >${t.text(`staff.report.${state}`)} &middot; <time datetime="${createdAt}">${t.moment(createdAt)}</time> &middot;
      ${t.text('staff.report.posts', { number: statuses })} ${by && html`&middot; ${by}`}
      ${to && html`&middot; ${to}`}</span
    >`;
}
