import type { AdminUserJson, StaffReportJson } from '../../../admin/index.js';
import { type Html, html, type PageContent, safe, type Translator } from '../../../common/index.js';
import type { BrowserSession } from '../../../sign-in/index.js';
import { actionButton, sessionForm } from '../../parts/forms.part.js';
import type { ShownStatus } from '../../parts/shown.js';
import { type StatusPlace, statusPart } from '../../parts/status.part.js';
import type { StaffPerson } from '../frame/staff-shown.js';
import { activationButton, restrictionButtons } from '../parts/account-actions.part.js';
import { type ReportRow, reportPath } from '../parts/report-row.part.js';
import { accountPath, askFirst, lines, personLine, type Said, saidPart } from '../parts/staff.part.js';
import { staffStatusPath, statusActions } from '../parts/status-actions.part.js';

/** A reported post: the stored copy, and the post as it is now. */
export interface ReportedStatus {
  readonly copy: ShownStatus;
  /** Undefined for a deleted post. */
  readonly now: ShownStatus | undefined;
}

/** A note of the staff. */
export interface ReportNote {
  readonly id: number;
  readonly content: string;
  readonly createdAt: string;
  readonly author: StaffPerson | undefined;
}

/** A report with everything that its page shows. */
export interface FullReport extends Omit<ReportRow, 'statuses'> {
  /** Escaped, as the API returns it. */
  readonly comment: string;
  readonly rules: StaffReportJson['rules'];
  /** The reported account; undefined once it is deleted. */
  readonly user: AdminUserJson | undefined;
  readonly statuses: readonly ReportedStatus[];
  readonly notes: readonly ReportNote[];
}

/** What the viewer may do on the page of a report. */
export interface ReportRights {
  readonly change: boolean;
  readonly readAccounts: boolean;
  readonly changeAccounts: boolean;
  readonly readStatuses: boolean;
  readonly changeStatuses: boolean;
}

/** The text that a failed form held. */
export interface ReportDraft extends Said {
  readonly note?: string;
}

/** A report: its reason, what was done about it, and what the staff can do. */
export function reportPage(
  t: Translator,
  session: BrowserSession,
  report: FullReport,
  rights: ReportRights,
  draft: ReportDraft = {},
): PageContent {
  const title = t.text('staff.report.title', { name: `@${report.account.acct}` });
  return {
    title,
    main: html`<h1>${t.html('staff.report.title', { name: html`<bdi>@${report.account.acct}</bdi>` })}</h1>
      ${saidPart(draft)} ${reason(t, report, rights)} ${rights.change && handling(t, session, report)}
      ${accountSection(t, report, rights)}
      ${
        report.statuses.length > 0 &&
        html`<h2>${t.text('staff.report.posts.title')}</h2>
          ${report.statuses.map((status) => reportedStatus(t, status, rights))}`
      }
      ${notesSection(t, session, report, rights, draft.note)}`,
  };
}

/** The page of a person, for a viewer with these rights. */
function personPath({ id }: StaffPerson, { readAccounts }: ReportRights): string {
  return readAccounts ? accountPath(id) : `/app/people/${id}`;
}

function reason(t: Translator, report: FullReport, rights: ReportRights): Html {
  const { actor, comment, rules, createdAt, state, assigned } = report;
  const by = actor
    ? t.html('staff.report.by', { name: html`<a href="${personPath(actor, rights)}">${actor.name}</a>` })
    : t.text('staff.report.by-nobody');
  // The API escapes the comment already.
  const words = comment.split('\n').map((line) => html`${safe(line)}<br />`);
  return html`<section class="card staff-part">
    <p class="soft">
      ${t.text(`staff.report.${state}`)} &middot; ${by} &middot;
      <time datetime="${createdAt}">${t.moment(createdAt)}</time>
      ${assigned && html`&middot; ${t.html('staff.report.assigned', { name: assigned.name })}`}
    </p>
    ${comment === '' ? html`<p class="soft">${t.text('staff.report.no-comment')}</p>` : html`<blockquote>${words}</blockquote>`}
    ${
      rules.length > 0 &&
      html`<p>${t.text('staff.report.rules')}</p>
        <ul>
          ${rules.map(({ text }) => html`<li>${text}</li>`)}
        </ul>`
    }
  </section>`;
}

function handling(t: Translator, session: BrowserSession, { id, state, assigned }: FullReport): Html {
  const isMine = assigned?.id === session.accountId;
  const to = (next: FullReport['state'], classes = '') =>
    actionButton({
      path: `${reportPath(id)}/state`,
      label: t.text(`staff.report.to-${next}`),
      classes,
      field: { name: 'state', value: next },
    });
  return html`<p class="choice">
    ${state === 'open' ? html`${to('resolved')} ${to('closed', 'quiet')}` : to('open', 'quiet')}
    ${actionButton({
      path: `${reportPath(id)}/assign`,
      label: t.text(isMine ? 'staff.report.unassign' : 'staff.report.assign'),
      classes: 'quiet',
      field: { name: 'mine', value: String(!isMine) },
    })}
  </p>`;
}

function accountSection(t: Translator, { account, user }: FullReport, rights: ReportRights): Html {
  return html`<section class="staff-part">
    <h2>${t.text('staff.report.account')}</h2>
    <p>${personLine(account, personPath(account, rights))}</p>
    ${user?.deactivated === true && html`<p class="notice">${t.text('staff.account.is-deactivated')}</p>`}
    ${
      user &&
      rights.changeAccounts &&
      html`<div class="staff-acts">${activationButton(t, user)}</div>
        <details>
          <summary>${t.text('staff.restrict')}</summary>
          ${restrictionButtons(t, user)}
        </details>`
    }
  </section>`;
}

function reportedStatus(t: Translator, { copy, now }: ReportedStatus, rights: ReportRights): Html {
  const place: StatusPlace = {
    person: (person) => (rights.readAccounts ? accountPath(person.id) : `/app/people/${person.id}`),
    status: ({ id, url }) => (rights.readStatuses ? staffStatusPath(id) : url),
  };
  const actions = now
    ? rights.changeStatuses && statusActions(t, now)
    : html`<p class="soft">${t.text('staff.report.post-deleted')}</p>`;
  return html`<div class="staff-part">${statusPart(t, copy, place)} ${actions}</div>`;
}

function notesSection(
  t: Translator,
  session: BrowserSession,
  { id, notes }: FullReport,
  { change }: ReportRights,
  draft = '',
): Html {
  const path = `${reportPath(id)}/notes`;
  const shown = notes.map(
    (note) =>
      html`<li id="note-${note.id}">
        <span>
          ${lines(note.content)}<br /><span class="soft"
            >${note.author?.name} &middot; <time datetime="${note.createdAt}">${t.moment(note.createdAt)}</time></span
          >
        </span>
        ${change && askFirst(t.text('staff.note.delete.ask'), { path: `${path}/${note.id}/delete`, label: t.text('staff.note.delete') })}
      </li>`,
  );
  const fields = html`<label for="content">${t.text('staff.note.new')}</label>
    <textarea id="content" name="content" rows="3" required maxlength="5000">${draft}</textarea>
    <button>${t.text('staff.note.add')}</button>`;
  return html`<section class="staff-part">
    <h2>${t.text('staff.notes')}</h2>
    ${
      notes.length > 0 &&
      html`<ul class="rows">
        ${shown}
      </ul>`
    }
    ${change && sessionForm(session, path, fields)}
  </section>`;
}
