import { type Html, html, type PageContent, type Translator } from '../../../common/index.js';
import { listedNumber } from '../parts/staff.part.js';

/** A number on the overview of the staff. */
interface Figure {
  readonly label: string;
  readonly value: number;
}

/** Something that waits for the staff. */
interface Waiting extends Figure {
  readonly path: string;
}

/** The content of the overview; only what the viewer may see. */
export interface Overview {
  readonly waiting: readonly Waiting[];
  readonly figures: readonly Figure[];
}

/** The overview of the staff: what waits, and the size of the server. */
export function overviewPage(t: Translator, { waiting, figures }: Overview): PageContent {
  const title = t.text('staff.overview.title');
  const due = waiting.filter(({ value }) => value > 0);
  return {
    title,
    main: html`<h1>${title}</h1>
      <h2>${t.text('staff.waiting')}</h2>
      ${due.length === 0 ? html`<p class="soft">${t.text('staff.waiting.none')}</p>` : waitingList(t, due)}
      ${
        figures.length > 0 &&
        html`<h2>${t.text('staff.figures')}</h2>
          <ul class="figures staff-figures">
            ${figures.map(({ label, value }) => html`<li><b>${t.number(value)}</b> ${label}</li>`)}
          </ul>`
      }`,
  };
}

function waitingList(t: Translator, waiting: readonly Waiting[]): Html {
  return html`<ul class="rows">
    ${waiting.map(
      ({ path, label, value }) =>
        html`<li><a href="${path}">${label}</a> <span class="count">${listedNumber(t, value)}</span></li>`,
    )}
  </ul>`;
}
