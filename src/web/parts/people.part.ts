import { bdi, type Html, html, type Translator } from '../../common/index.js';
import { nameOf } from './emoji.part.js';
import type { ShownPerson } from './shown.js';

/** What stands beside the name of a person: a program, followers need approval, a member of the staff. */
export function badges(t: Translator, { isBot, isLocked, role }: ShownPerson): Html {
  return html`${isBot && html`<span class="mark">${t.text('mark.bot')}</span>`}
  ${role !== undefined && html`<span class="mark">${t.text(`mark.${role}`)}</span>`}
  ${isLocked && lock(t.text('mark.locked'))}`;
}

/** Drawn, since not every system has this emoji. */
function lock(name: string): Html {
  return html`<svg role="img" aria-label="${name}" width="14" height="14" viewBox="0 0 16 16" fill="currentColor">
    <path d="M3 7h10v8H3zm2 0V5a3 3 0 0 1 6 0v2H9.5V5a1.5 1.5 0 0 0-3 0v2z" />
  </svg>`;
}

/** People side by side. */
export function faces(t: Translator, people: readonly ShownPerson[], label: string): Html {
  return html`<ul class="faces" aria-label="${label}">
    ${people.map((person) => face(t, person))}
  </ul>`;
}

function face(t: Translator, person: ShownPerson): Html {
  return html`<li>
    <a href="${person.url}">
      <img class="face" src="${person.avatar}" alt="" width="48" height="48" loading="lazy" />
      <span>${nameOf(person)} ${badges(t, person)} <small>${bdi(`@${person.handle}`)}</small></span>
    </a>
  </li>`;
}
