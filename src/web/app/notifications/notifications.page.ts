import { type Html, html, type PageContent, type Translator } from '../../../common/index.js';
import type { BrowserSession } from '../../../sign-in/index.js';
import { actionButton, sessionForm } from '../../parts/forms.part.js';
import { notificationPart } from './notification.part.js';
import { type Kind, KINDS, type NotificationList } from './shown-notifications.js';

/** The path of the page. */
export const NOTIFICATIONS_PATH = '/app/notifications';

/** The path of the page of those that the policy of the person holds back. */
export const HELD_BACK_PATH = `${NOTIFICATIONS_PATH}/held_back`;

/** The notifications of the signed-in person. */
export function notificationsPage(t: Translator, list: NotificationList): PageContent {
  const { notifications, hasRequests, heldBack } = list;
  const title = t.text('app.notifications');
  return {
    title,
    main: html`<h1>${title}</h1>
      ${kindsPart(t, list.kind, heldBack)}
      ${hasRequests && html`<p class="notice"><a href="/app/follow-requests">${t.text('notices.requests.waiting')}</a></p>`}
      ${notifications.length > 0 && changes(t, list)}
      ${
        notifications.length === 0
          ? html`<p class="soft">${t.text('notices.empty')}</p>`
          : html`<div class="posts">${notifications.map((each) => notificationPart(t, each))}</div>`
      }
      ${older(t, list)}`,
  };
}

/** Asks before all notifications are deleted. */
export function clearPage(t: Translator, session: BrowserSession, alarm?: string): PageContent {
  const title = t.text('notices.clear.title');
  const buttons = html`<p class="choice">
    <button class="danger">${t.text('notices.clear.submit')}</button>
    <a class="button quiet" href="${NOTIFICATIONS_PATH}">${t.text('notices.cancel')}</a>
  </p>`;
  return {
    title,
    main: html`<div class="narrow">
      <h1>${title}</h1>
      ${alarm !== undefined && html`<p class="alarm" role="alert">${alarm}</p>`}
      <p>${t.text('notices.clear.text')}</p>
      ${sessionForm(session, `${NOTIFICATIONS_PATH}/clear`, buttons)}
    </div>`,
  };
}

/** The navigation between the kinds of notifications; `heldBack` is the number of people whose notifications are held back. */
export function kindsPart(t: Translator, chosen: Kind | 'held-back', heldBack: number): Html {
  const link = (kind: Kind | 'held-back', path: string, count?: Html) =>
    html`<a href="${path}" ${kind === chosen && html`aria-current="page"`}>${t.text(`notices.${kind}`)}${count}</a>`;
  const count = html` <span class="count">${t.number(heldBack)}</span>`;
  return html`<nav class="kinds" aria-label="${t.text('notices.kinds')}">
    ${KINDS.map((kind) => link(kind, pathOf(kind)))}
    ${link('held-back', HELD_BACK_PATH, heldBack > 0 ? count : undefined)}
  </nav>`;
}

/** The buttons for the whole list. All up to the newest one that is shown are marked as read, so none that was not. */
function changes(t: Translator, { notifications, isFirst }: NotificationList): Html {
  const [newest] = notifications;
  const hasUnread = notifications.some(({ isUnread }) => isUnread);
  const read = newest && {
    path: `${NOTIFICATIONS_PATH}/read`,
    label: t.text('notices.read-all'),
    classes: 'quiet',
    field: { name: 'max_id', value: newest.id },
  };
  return html`<p class="choice">
    ${isFirst && hasUnread && read && actionButton(read)}
    <a class="button quiet" href="${NOTIFICATIONS_PATH}/clear">${t.text('notices.clear')}</a>
  </p>`;
}

function older(t: Translator, { kind, older: cursor }: NotificationList): Html | undefined {
  if (cursor === undefined) return undefined;
  const path = pathOf(kind, cursor);
  return html`<p><a class="button quiet" rel="next" href="${path}">${t.text('notices.older')}</a></p>`;
}

function pathOf(kind: Kind, cursor?: string): string {
  const query = new URLSearchParams({
    ...(kind === 'all' ? {} : { kind }),
    ...(cursor === undefined ? {} : { max_id: cursor }),
  }).toString();
  return query === '' ? NOTIFICATIONS_PATH : `${NOTIFICATIONS_PATH}?${query}`;
}
