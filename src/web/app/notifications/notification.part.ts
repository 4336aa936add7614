import { bdi, type Html, html, type Translator } from '../../../common/index.js';
import { nameOf } from '../../parts/emoji.part.js';
import { actionButton } from '../../parts/forms.part.js';
import { excerpt, type ShownPerson, type ShownStatus } from '../../parts/shown.js';
import { IN_APP, statusPath } from '../statuses/status-actions.part.js';
import type { ShownNotification, ShownType } from './shown-notifications.js';

const WORDS_LENGTH = 200;

type Sentence = (t: Translator, notification: ShownNotification, names: Html) => Html;

const SENTENCES: Readonly<Record<ShownType, Sentence>> = {
  mention: (t, { status }, names) =>
    t.html(status?.isDirect === true ? 'notices.direct' : 'notices.mention', { names }),
  status: (t, _, names) => t.html('notices.status', { names }),
  reblog: (t, { count }, names) => t.html('notices.reblog', { names, count }),
  favourite: (t, { count }, names) => t.html('notices.favourite', { names, count }),
  follow: (t, { count }, names) => t.html('notices.follow', { names, count }),
  follow_request: (t, _, names) => t.html('notices.follow-request', { names }),
  poll: (t, { isOwn }, names) => (isOwn ? t.html('notices.own-poll') : t.html('notices.poll', { names })),
  update: (t, _, names) => t.html('notices.update', { names }),
  quote: (t, _, names) => t.html('notices.quote', { names }),
  quoted_update: (t, _, names) => t.html('notices.quoted-update', { names }),
  move: (t, { target }, names) => t.html('notices.move', { names, target: target && personLink(target) }),
  'svc:emoji_reaction': (t, { emoji }, names) =>
    t.html('notices.reaction', { names, emoji: emoji && emojiPart(emoji) }),
  'svc:report': (t, _, names) => t.html('notices.report', { names }),
};

/** A notification: who did what, with the post that it is about. */
export function notificationPart(t: Translator, notification: ShownNotification): Html {
  const { id, key, type, at, isUnread, people, status } = notification;
  const dismiss = {
    path: `/app/notifications/${encodeURIComponent(key)}/dismiss`,
    label: '✕',
    name: t.text('notices.dismiss'),
    classes: 'plain',
  };
  // A whole post shows its author by itself.
  const faces = !status?.part && html`<p class="avatars">${people.map((person) => face(person))}</p>`;
  return html`<article class="card notification ${isUnread && 'unread'}" id="notice-${id}">
    <div class="summary">
      <div class="${people.length === 1 && 'one'}">
        ${faces}
        <div>
          <p>${SENTENCES[type](t, notification, namesOf(t, notification))}</p>
          <p class="soft">
            <time datetime="${at}">${t.moment(at)}</time>
            ${isUnread && html`<span class="count">${t.text('notices.unread')}</span>`}
          </p>
        </div>
      </div>
      ${actionButton(dismiss)}
    </div>
    ${status?.part ?? subject(t, notification)}
  </article>`;
}

/** The buttons that answer a follow request. */
export function requestButtons(t: Translator, { id, name }: ShownPerson): Html {
  const path = `/app/follow-requests/${id}`;
  return html`<p class="choice">
    ${actionButton({ path: `${path}/accept`, label: t.text('notices.accept'), name: t.text('notices.accept.name', { name }) })}
    ${actionButton({ path: `${path}/reject`, label: t.text('notices.reject'), name: t.text('notices.reject.name', { name }), classes: 'quiet' })}
  </p>`;
}

/** The first words of a post: of its warning, if it has one. */
export function wordsOf(t: Translator, { filters, warning, text }: ShownStatus): string {
  if (filters.length > 0) return t.text('post.filtered', { filters: filters.join(', ') });
  return excerpt(warning || text, WORDS_LENGTH);
}

/** What a notification is about, in short. */
function subject(t: Translator, { status, type, people, isWaiting }: ShownNotification): Html | undefined {
  const [person] = people;
  if (status)
    return html`<p class="about">
      <a href="${statusPath(status.id)}">${bdi(status.words || t.text('notices.no-words'))}</a>
    </p>`;
  if (type === 'svc:report') return html`<p class="about"><a href="/app/staff">${t.text('app.staff')}</a></p>`;
  return isWaiting && person ? requestButtons(t, person) : undefined;
}

function namesOf(t: Translator, { people: [first], count }: ShownNotification): Html {
  if (!first) return html``;
  const name = personLink(first);
  return count > 1 ? t.html('notices.and-others', { name, count: count - 1 }) : name;
}

function personLink(person: ShownPerson): Html {
  return html`<a class="name" href="${IN_APP.person(person)}">${nameOf(person)}</a>`;
}

function face(person: ShownPerson): Html {
  return html`<a href="${IN_APP.person(person)}" aria-label="${person.name}" title="${person.name}"
    ><img class="face" src="${person.avatar}" alt="" width="36" height="36" loading="lazy"
  /></a>`;
}

function emojiPart({ name, picture }: NonNullable<ShownNotification['emoji']>): Html {
  return picture === undefined
    ? bdi(name)
    : html`<img class="emoji" src="${picture}" alt="${name}" title="${name}" loading="lazy" />`;
}
