import { bdi, type Html, html, type PageContent, type Translator } from '../../../common/index.js';
import type { NotificationPolicy } from '../../../notifications/index.js';
import type { BrowserSession } from '../../../sign-in/index.js';
import { nameOf } from '../../parts/emoji.part.js';
import { actionButton, sessionForm } from '../../parts/forms.part.js';
import { policyFields } from '../../parts/policy.part.js';
import type { ShownPerson } from '../../parts/shown.js';
import { IN_APP, statusPath } from '../statuses/status-actions.part.js';
import { HELD_BACK_PATH, kindsPart } from './notifications.page.js';

/** The notifications of a person that the policy of the viewer holds back. */
export interface ShownRequest {
  readonly id: string;
  readonly person: ShownPerson;
  /** The number of notifications. */
  readonly count: number;
  /** The newest post among them: its first words. */
  readonly status: { readonly id: string; readonly words: string } | undefined;
}

/** A page of them, and the policy. */
export interface HeldBackList {
  readonly requests: readonly ShownRequest[];
  /** The number of all requests. */
  readonly total: number;
  /** The `max_id` of the next page; undefined on the last one. */
  readonly older: string | undefined;
  readonly policy: NotificationPolicy;
  readonly alarm?: string | undefined;
}

/** The people whose notifications are held back, with buttons to let them in, and the form of the policy. */
export function heldBackPage(t: Translator, session: BrowserSession, list: HeldBackList): PageContent {
  const { requests, total, older, policy, alarm } = list;
  const title = t.text('notices.held-back');
  const fields = html`${policyFields(t, policy)} <button>${t.text('people.save')}</button>`;
  return {
    title,
    main: html`<h1>${title}</h1>
      ${kindsPart(t, 'held-back', total)} ${alarm !== undefined && html`<p class="alarm" role="alert">${alarm}</p>`}
      <p class="soft">${t.text('notices.held-back.text')}</p>
      ${
        requests.length === 0
          ? html`<p>${t.text('notices.held-back.empty')}</p>`
          : html`<ul class="rows requests">
              ${requests.map((request) => requestRow(t, request))}
            </ul>`
      }
      ${
        older !== undefined &&
        html`<p><a class="button quiet" rel="next" href="?max_id=${older}">${t.text('notices.requests.older')}</a></p>`
      }
      <section class="narrow" id="policy">
        <h2>${t.text('notices.policy')}</h2>
        ${sessionForm(session, HELD_BACK_PATH, fields)}
      </section>`,
  };
}

function requestRow(t: Translator, { id, person, count, status }: ShownRequest): Html {
  const path = `${HELD_BACK_PATH}/${id}`;
  const { name } = person;
  return html`<li>
    <img class="face" src="${person.avatar}" alt="" width="48" height="48" loading="lazy" />
    <div>
      <p>
        <a class="name" href="${IN_APP.person(person)}">${nameOf(person)}</a>
        <span class="soft">${bdi(`@${person.handle}`)} &middot; ${t.text('notices.held-back.count', { count })}</span>
      </p>
      ${
        status &&
        html`<p class="about">
          <a href="${statusPath(status.id)}">${bdi(status.words || t.text('notices.no-words'))}</a>
        </p>`
      }
    </div>
    <p class="choice">
      ${actionButton({ path: `${path}/accept`, label: t.text('notices.accept'), name: t.text('notices.accept.name', { name }) })}
      ${actionButton({
        path: `${path}/dismiss`,
        label: t.text('notices.dismiss'),
        name: t.text('notices.held-back.dismiss', { name }),
        classes: 'quiet',
      })}
    </p>
  </li>`;
}
