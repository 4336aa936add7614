import { type LogRow, logSentence } from '../../../admin/index.js';
import { bdi, html, type PageContent, type Translator } from '../../../common/index.js';
import { STAFF_PATH } from '../frame/staff-sections.js';
import { type CountedPage, pageLinks, withQuery } from '../parts/staff.part.js';

const PATH = `${STAFF_PATH}/log`;

/** The filters of the log, as its form has them. */
export interface LogFields {
  readonly search: string;
  /** The first and the last day, `2026-01-31`. */
  readonly from: string;
  readonly until: string;
  /** The account that acted. */
  readonly actor: string;
}

/** A page of the moderation log. The search reads its sentences in English, as they are stored. */
export function logPage(t: Translator, rows: readonly LogRow[], counted: CountedPage, fields: LogFields): PageContent {
  const { search, from, until, actor } = fields;
  const title = t.text('staff.log');
  return {
    title,
    main: html`<h1>${title}</h1>
      <form method="get" class="staff-search" role="search">
        <label for="search">${t.text('staff.log.search')}</label>
        <input id="search" name="search" type="search" value="${search}" maxlength="500" />
        <span
          ><label for="from">${t.text('staff.log.from')}</label
          ><input id="from" name="from" type="date" value="${from}"
        /></span>
        <span
          ><label for="until">${t.text('staff.log.until')}</label
          ><input id="until" name="until" type="date" value="${until}"
        /></span>
        ${actor !== '' && html`<input type="hidden" name="actor" value="${actor}" />`}
        <button>${t.text('app.search')}</button>
      </form>
      ${actor !== '' && html`<p><a href="${PATH}">${t.text('staff.log.all')}</a></p>`}
      ${rows.length === 0 && html`<p class="soft">${t.text('staff.log.none')}</p>`}
      <ul class="rows">
        ${rows.map((row) => {
          const { createdAt } = row;
          const { id, nickname } = row.data.actor;
          const own =
            id !== null &&
            html` &middot;
              <a href="${withQuery(PATH, { actor: id })}"
                >${t.html('staff.log.only', { name: bdi(`@${nickname}`) })}</a
              >`;
          return html`<li>
            <span
              >${bdi(logSentence(t, row))}<br /><span class="soft"
                ><time datetime="${createdAt}">${t.moment(createdAt)}</time>${own}</span
              ></span
            >
          </li>`;
        })}
      </ul>
      ${pageLinks(t, counted, { search, from, until, actor })}`,
  };
}
