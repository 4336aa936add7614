import { bdi, type Html, html, type PageContent, type Translator } from '../../common/index.js';
import { nameOf } from '../parts/emoji.part.js';
import { statusList } from '../parts/status.part.js';
import type { ShownPerson } from '../parts/shown.js';
import type { HerePage } from './visitors.service.js';

/** The local accounts and their posts, for visitors. Search engines find both on the pages of the accounts. */
export function herePage(t: Translator, { people, ...page }: HerePage): PageContent {
  const title = t.text('here.title');
  return {
    title,
    isUnlisted: true,
    main: html`<h1>${title}</h1>
      ${
        people.length > 0 &&
        html`<ul class="faces" aria-label="${t.text('here.people')}">
          ${people.map(face)}
        </ul>`
      }
      ${statusList(t, page)}`,
  };
}

function face(person: ShownPerson): Html {
  return html`<li>
    <a href="${person.url}">
      <img class="face" src="${person.avatar}" alt="" width="48" height="48" loading="lazy" />
      <span>${nameOf(person)} <small>${bdi(`@${person.handle}`)}</small></span>
    </a>
  </li>`;
}
