import { type Html, html, type PageContent, type Translator } from '../../../common/index.js';
import type { BrowserSession } from '../../../sign-in/index.js';
import { sessionForm } from '../../parts/forms.part.js';
import { STAFF_PATH } from '../frame/staff-sections.js';
import { askFirst, lines, type Said, saidPart } from '../parts/staff.part.js';

export const ANNOUNCEMENTS_PATH = `${STAFF_PATH}/announcements`;

/** An announcement as its form has it. */
export interface AnnouncementFields {
  readonly content: string;
  /** `2026-01-31T12:00` in UTC; empty for at once. */
  readonly startsAt: string;
  /** Empty for never. */
  readonly endsAt: string;
  readonly allDay: boolean;
}

/** A form that failed: that of an announcement, or of a new one. */
export interface AnnouncementDraftForm extends Said {
  readonly id?: string;
  readonly typed?: AnnouncementFields;
}

/** The announcements in any state, each with its form. */
export function staffAnnouncementsPage(
  t: Translator,
  session: BrowserSession,
  announcements: readonly (AnnouncementFields & { readonly id: string; readonly isActive: boolean })[],
  isChangeable: boolean,
  { id, typed, ...said }: AnnouncementDraftForm = {},
): PageContent {
  const title = t.text('staff.announcements');
  const nothing = { content: '', startsAt: '', endsAt: '', allDay: false };
  return {
    title,
    main: html`<h1>${title}</h1>
      ${saidPart(said)} ${announcements.length === 0 && html`<p class="soft">${t.text('staff.announcements.none')}</p>`}
      ${announcements.map((each) => {
        const isDraft = id === each.id;
        const path = `${ANNOUNCEMENTS_PATH}/${each.id}`;
        return html`<section class="card staff-part">
          <p>${lines(each.content)}</p>
          <p class="soft">
            ${t.text(each.isActive ? 'staff.announcements.active' : 'staff.announcements.hidden')} ${times(t, each)}
          </p>
          ${
            isChangeable &&
            html`<details ${isDraft && html`open`}>
                <summary>${t.text('act.edit')}</summary>
                ${announcementForm(t, session, path, each.id, (isDraft ? typed : undefined) ?? each)}
              </details>
              <div class="staff-acts">
                ${askFirst(t.text('staff.announcements.delete.ask'), { path: `${path}/delete`, label: t.text('act.delete') })}
              </div>`
          }
        </section>`;
      })}
      ${
        isChangeable &&
        html`<h2>${t.text('staff.announcements.new')}</h2>
          ${announcementForm(t, session, ANNOUNCEMENTS_PATH, 'new', (id === undefined ? typed : undefined) ?? nothing)}`
      }`,
  };
}

function times(t: Translator, { startsAt, endsAt }: AnnouncementFields): string {
  const parts = [startsAt, endsAt].map((time) => (time === '' ? '…' : t.moment(`${time}Z`)));
  return startsAt === '' && endsAt === '' ? '' : `· ${parts.join(' – ')}`;
}

function announcementForm(
  t: Translator,
  session: BrowserSession,
  path: string,
  key: string,
  { content, startsAt, endsAt, allDay }: AnnouncementFields,
): Html {
  const fields = html`<label for="content-${key}">${t.text('staff.announcements.content')}</label>
    <textarea id="content-${key}" name="content" rows="4" required maxlength="20000">${content}</textarea>
    <label for="starts-${key}">${t.text('staff.announcements.starts')}</label>
    ${timeField(`starts-${key}`, 'starts_at', startsAt)}
    <label for="ends-${key}">${t.text('staff.announcements.ends')}</label>
    ${timeField(`ends-${key}`, 'ends_at', endsAt)}
    <label class="tick"
      ><input
        type="checkbox"
        name="all_day"
        value="true"
        ${allDay && html`checked`}
      />${t.text('staff.announcements.all-day')}</label
    >
    <button>${t.text('staff.save')}</button>`;
  return sessionForm(session, path, fields);
}

/** A browser refuses seconds in a field of minutes. */
function timeField(id: string, name: string, time: string): Html {
  const hasSeconds = time.length > 'YYYY-MM-DDTHH:MM'.length;
  return html`<input
    id="${id}"
    name="${name}"
    type="datetime-local"
    ${hasSeconds && html`step="any"`}
    value="${time}"
  />`;
}
