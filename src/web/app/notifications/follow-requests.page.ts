import { bdi, type Html, html, type PageContent, type Translator } from '../../../common/index.js';
import { nameOf } from '../../parts/emoji.part.js';
import type { ShownPerson } from '../../parts/shown.js';
import { IN_APP } from '../statuses/status-actions.part.js';
import { requestButtons } from './notification.part.js';
import { NOTIFICATIONS_PATH } from './notifications.page.js';

/** The people who ask to follow the signed-in person; `older` is the `max_id` of the next page. */
export function followRequestsPage(
  t: Translator,
  people: readonly ShownPerson[],
  older: string | undefined,
): PageContent {
  const title = t.text('notices.requests');
  return {
    title,
    main: html`<h1>${title}</h1>
      ${
        people.length === 0
          ? html`<p class="soft">${t.text('notices.requests.empty')}</p>`
          : html`<ul class="rows requests">
              ${people.map((person) => request(t, person))}
            </ul>`
      }
      ${
        older !== undefined &&
        html`<p><a class="button quiet" rel="next" href="?max_id=${older}">${t.text('notices.requests.older')}</a></p>`
      }
      <p><a href="${NOTIFICATIONS_PATH}">&larr; ${t.text('app.notifications')}</a></p>`,
  };
}

function request(t: Translator, person: ShownPerson): Html {
  return html`<li>
    <img class="face" src="${person.avatar}" alt="" width="48" height="48" loading="lazy" />
    <p>
      <a class="name" href="${IN_APP.person(person)}">${nameOf(person)}</a>
      <span class="soft">${bdi(`@${person.handle}`)}</span>
    </p>
    ${requestButtons(t, person)}
  </li>`;
}
