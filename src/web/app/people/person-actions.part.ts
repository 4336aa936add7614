import type { RelationshipJson } from '../../../accounts/index.js';
import { bdi, type Html, html, type MessageKey, type Translator } from '../../../common/index.js';
import type { BrowserSession } from '../../../sign-in/index.js';
import { selectField, termOptions, tickField } from '../../parts/choices.part.js';
import { type Action, actionButton, sessionForm } from '../../parts/forms.part.js';
import { personPath } from '../../parts/listed-people.part.js';
import type { ListedMember, ShownMember } from './app-people.js';
import type { PersonAction } from './people-pages.controller.js';

/** A list of the signed-in person, and whether an account is on it. */
export interface OwnList {
  readonly id: string;
  readonly title: string;
  readonly isOn: boolean;
}

/** The path that does something with an account. */
export const personActionPath = (id: string, action: PersonAction) => `${personPath(id)}/actions/${action}`;

type Label = MessageKey & `people.act.${string}`;

/** The button that follows an account or ends that. */
export function followButton(t: Translator, id: string, isLocked: boolean, relationship: RelationshipJson): Html {
  const { following, requested } = relationship;
  if (following) return plain(t, 'people.act.unfollow', { path: `${personPath(id)}/unfollow`, classes: 'quiet' });
  if (requested) return plain(t, 'people.act.cancel', { path: `${personPath(id)}/unfollow`, classes: 'quiet' });
  return plain(t, isLocked ? 'people.act.ask' : 'people.act.follow', { path: `${personPath(id)}/follow` });
}

/** The button of an account in a list; none for one that is blocked, and for oneself. */
export function listedButton(
  t: Translator,
  { person, relationship }: ListedMember,
  viewerId: string,
): Html | undefined {
  if (!relationship || relationship.blocking || person.id === viewerId) return undefined;
  return followButton(t, person.id, person.isLocked, relationship);
}

/** The buttons below a profile of another account. */
export function mainButtons(t: Translator, { profile: { person }, relationship, acceptsChats }: ShownMember): Html {
  if (!relationship) return html`<a class="button" href="/auth/account/profile">${t.text('people.edit-own')}</a>`;
  const { id, handle, isLocked } = person;
  if (relationship.blocking)
    return plain(t, 'people.act.unblock', { path: personActionPath(id, 'unblock'), classes: 'quiet' });
  return html`${followButton(t, id, isLocked, relationship)} ${bell(t, id, relationship)}
    <a class="button quiet" href="/app/compose?to=${encodeURIComponent(handle)}">${t.text('people.act.message')}</a>
    ${acceptsChats && plain(t, 'people.act.chat', { path: `${personPath(id)}/chat`, classes: 'quiet' })}`;
}

/** Accepts or rejects the request of an account. */
export function requestButtons(t: Translator, id: string): Html {
  return html`<p class="notice">${t.text('people.asks')}</p>
    <p class="choice">
      ${plain(t, 'people.act.accept', { path: personActionPath(id, 'accept') })}
      ${plain(t, 'people.act.reject', { path: personActionPath(id, 'reject'), classes: 'quiet' })}
    </p>`;
}

/** Everything else that the signed-in person can do with another account. */
export function moreActions(
  t: Translator,
  session: BrowserSession,
  { profile: { person }, relationship, domain }: ShownMember,
  lists: readonly OwnList[],
): Html | undefined {
  if (!relationship) return undefined;
  const { id } = person;
  const form = (action: PersonAction, content: Html) =>
    sessionForm(session, personActionPath(id, action), content, {
      returnTo: personPath(id),
      attributes: html`class="line"`,
    });
  return html`<details class="card further">
    <summary>${t.text('people.more')}</summary>
    <p class="choice">
      ${ofFollow(t, id, relationship)}
      <a class="button quiet" href="${personPath(id)}/report">${t.text('people.act.report')}</a>
      <a class="button quiet" href="${person.url}">${t.text('act.public-page')}</a>
    </p>
    ${onLists(t, id, relationship, lists)} ${form('note', noteField(t, relationship))}
    ${
      relationship.muting
        ? html`<p>${undo(t, id, 'unmute', relationship.muting_expires_at)}</p>`
        : form('mute', muteFields(t))
    }
    ${
      relationship.blocking
        ? html`<p>${undo(t, id, 'unblock', relationship.block_expires_at)}</p>`
        : form('block', blockFields(t))
    }
    ${domain !== null && ofServer(t, id, domain, relationship)}
  </details>`;
}

function plain(t: Translator, label: Label, action: Omit<Action, 'label'>): Html {
  return actionButton({ ...action, label: t.text(label as 'people.act.follow') });
}

/** Notifications of new posts. */
function bell(t: Translator, id: string, { following, notifying }: RelationshipJson): Html | undefined {
  if (!following) return undefined;
  return plain(t, notifying ? 'people.act.notify-off' : 'people.act.notify', {
    path: `${personPath(id)}/follow`,
    field: { name: 'notify', value: notifying ? 0 : 1 },
    classes: 'quiet',
  });
}

function ofFollow(t: Translator, id: string, relationship: RelationshipJson): Html {
  const { following, followed_by: isFollower, showing_reblogs: showsReblogs, endorsed } = relationship;
  const act = (action: PersonAction) =>
    plain(t, `people.act.${action}` as Label, { path: personActionPath(id, action), classes: 'quiet' });
  const reblogs = plain(t, showsReblogs ? 'people.act.hide-boosts' : 'people.act.show-boosts', {
    path: `${personPath(id)}/follow`,
    field: { name: 'reblogs', value: showsReblogs ? 0 : 1 },
    classes: 'quiet',
  });
  return html`${following && html`${reblogs} ${act(endorsed ? 'unendorse' : 'endorse')}`}
  ${isFollower && act('remove-follower')}`;
}

function onLists(
  t: Translator,
  id: string,
  { following, requested }: RelationshipJson,
  lists: readonly OwnList[],
): Html | undefined {
  if (!following && !requested) return undefined;
  const buttons = lists.map((list) =>
    actionButton({
      path: personActionPath(id, list.isOn ? 'unlist' : 'list'),
      label: bdi(list.title),
      field: { name: 'list', value: list.id },
      isOn: list.isOn,
      classes: 'quiet',
    }),
  );
  return html`<h2>${t.text('app.lists')}</h2>
    <p class="choice">${buttons} ${lists.length === 0 && html`<a href="/app/lists">${t.text('lists.new')}</a>`}</p>`;
}

function noteField(t: Translator, { note }: RelationshipJson): Html {
  return html`<h2>${t.text('people.note')}</h2>
    <label for="comment">${t.text('people.note.label')}</label>
    <input id="comment" name="comment" value="${note}" maxlength="2000" autocomplete="off" />
    <button class="quiet">${t.text('people.save')}</button>`;
}

function muteFields(t: Translator): Html {
  return html`<h2>${t.text('people.act.mute')}</h2>
    ${selectField('duration', t.text('people.term'), termOptions(t), 0, 'mute-duration')}
    <button class="quiet">${t.text('people.act.mute')}</button>
    ${tickField('notifications', t.text('people.mute.notifications'), true)}`;
}

function blockFields(t: Translator): Html {
  return html`<h2>${t.text('people.act.block')}</h2>
    ${selectField('duration', t.text('people.term'), termOptions(t), 0, 'block-duration')}
    <button class="danger">${t.text('people.act.block')}</button>`;
}

/** Ends a mute or a block, and tells when it ends by itself. */
function undo(t: Translator, id: string, action: 'unmute' | 'unblock', endsAt: string | null): Html {
  const button = plain(t, `people.act.${action}`, { path: personActionPath(id, action), classes: 'quiet' });
  return html`${button}
  ${endsAt !== null && html`<span class="soft">${t.text('people.until', { time: t.moment(endsAt) })}</span>`}`;
}

function ofServer(t: Translator, id: string, domain: string, { domain_blocking: isBlocked }: RelationshipJson): Html {
  const action = isBlocked ? 'unblock-server' : 'block-server';
  const button = actionButton({
    path: personActionPath(id, action),
    label: t.text(`people.act.${action}`),
    classes: isBlocked ? 'quiet' : 'danger',
  });
  return html`<h2>${bdi(domain)}</h2>
    ${!isBlocked && html`<p class="soft">${t.text('people.server.text')}</p>`}
    <p>${button}</p>`;
}
