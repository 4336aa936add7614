import { bdi, type Html, html, type Translator } from '../../common/index.js';
import { nameOf } from './emoji.part.js';
import type { ShownPerson } from './shown.js';

/** The path of an account's page for signed-in people. */
export const personPath = (id: string) => `/app/people/${id}`;

/** An account in a list. */
export interface ListedPerson {
  readonly person: ShownPerson;
  /** Words beside the handle. */
  readonly note?: string | undefined;
}

/** A list of people that leads to their pages; `actions` gives the buttons of each. */
export function peopleList<Listed extends ListedPerson>(
  t: Translator,
  people: readonly Listed[],
  actions?: (listed: Listed) => Html | undefined,
): Html {
  if (people.length === 0) return html`<p class="soft">${t.text('people.nobody')}</p>`;
  return html`<ul class="rows people">
    ${people.map((listed) => html`<li>${whom(listed)} ${actions?.(listed)}</li>`)}
  </ul>`;
}

function whom({ person, note }: ListedPerson): Html {
  return html`<a class="whom" href="${personPath(person.id)}">
    <img class="face" src="${person.avatar}" alt="" width="44" height="44" loading="lazy" />
    <span>
      <b>${nameOf(person)}</b>
      <small class="soft">${bdi(`@${person.handle}`)}${note !== undefined && html` &middot; ${note}`}</small>
    </span>
  </a>`;
}
