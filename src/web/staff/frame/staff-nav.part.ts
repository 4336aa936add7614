import { type Html, html, type Translator } from '../../../common/index.js';
import type { SECTIONS } from './staff-sections.js';
import { STAFF_PATH } from './staff-sections.js';

/** The navigation of the pages of the staff, with the number of things that wait in a section. */
export function staffNav(
  t: Translator,
  sections: typeof SECTIONS,
  path: string,
  waiting: Readonly<Record<string, number>>,
): Html {
  const items = sections.map(({ path: target, key }) => {
    const isHere = path === target || (target !== STAFF_PATH && path.startsWith(`${target}/`));
    const count = waiting[key] ?? 0;
    return html`<li>
      <a href="${target}" ${isHere && html`aria-current="page"`}
        >${t.text(key as 'staff.overview')} ${count > 0 && html`<span class="count">${t.number(count)}</span>`}</a
      >
    </li>`;
  });
  return html`<nav class="staff-nav" aria-label="${t.text('staff.sections')}">
    <ul>
      ${items}
    </ul>
  </nav>`;
}
