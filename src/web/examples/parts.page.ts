import { type Html, html, type PageContent, type Translator } from '../../common/index.js';
import { composeBox } from '../app/compose/compose-box.part.js';
import { notificationPart } from '../app/notifications/notification.part.js';
import { IN_APP } from '../app/statuses/status-actions.part.js';
import { appNav } from '../frame/app-nav.js';
import { selectField, termOptions, tickField } from '../parts/choices.part.js';
import { actionButton, actionsForm, sessionForm } from '../parts/forms.part.js';
import { peopleList } from '../parts/listed-people.part.js';
import { faces } from '../parts/people.part.js';
import { profileFields } from '../parts/profile.part.js';
import { olderLink, statusPart } from '../parts/status.part.js';
import { SECTIONS } from '../staff/frame/staff-sections.js';
import { staffNav } from '../staff/frame/staff-nav.part.js';
import { askFirst, pageLinks, saidPart, tabs } from '../staff/parts/staff.part.js';
import { EXAMPLE_SESSION, NOTIFICATIONS, PEOPLE, PROFILE, STATUSES, statusWith } from './example-data.js';

/** The path of the page. */
export const PARTS_PATH = '/pages/parts';

/** The shared parts of the pages with made-up data, for people who change them. Its own words are English only. */
export function partsPage(t: Translator): PageContent {
  const [person] = PEOPLE;
  const sections: readonly (readonly [title: string, content: Html])[] = [
    ['Buttons', buttons()],
    ['Notices', saidPart({ alarm: 'A reason why something failed.', notice: 'Something was done.' })],
    ['A form', form(t)],
    ['Where people write', composeBox(t, EXAMPLE_SESSION, { visibility: 'public', key: 'example' })],
    ['Navigation of the staff', navigation(t)],
    ['People', people(t)],
    ['Posts', statuses(t)],
    ['Notifications', html`<div class="posts">${NOTIFICATIONS.map((each) => notificationPart(t, each))}</div>`],
  ];
  return {
    title: 'Parts of the pages',
    isApp: true,
    nav: appNav(
      t,
      { id: person.id, name: person.name, avatar: person.avatar, unread: { '/app/notifications': 3, '/app/chats': 1 } },
      true,
      '/app/home',
    ),
    main: html`${actionsForm(EXAMPLE_SESSION, PARTS_PATH)}
      <h1>Parts of the pages</h1>
      ${sections.map(
        ([title, content]) =>
          html`<h2>${title}</h2>
            ${content}`,
      )}`,
  };
}

function buttons(): Html {
  const path = PARTS_PATH;
  return html`<p class="choice">
      ${actionButton({ path, label: 'A button' })} ${actionButton({ path, label: 'A quiet one', classes: 'quiet' })}
      ${actionButton({ path, label: 'A dangerous one', classes: 'danger' })}
      ${actionButton({ path, label: '★', name: 'A switch that is on', isOn: true, classes: 'quiet' })}
      <a class="button" href="${path}">A link</a> <a class="button quiet" href="${path}">A quiet link</a>
    </p>
    ${askFirst('This cannot be undone. Do it?', { path, label: 'A button that asks first' })}`;
}

/** A form with a field that is wrong. */
function form(t: Translator): Html {
  const fields = html`<label for="example-name">A field</label>
    <input id="example-name" name="name" value="what was typed" aria-invalid="true" aria-describedby="example-error" />
    <p class="alarm" id="example-error">The reason why it was refused.</p>
    ${selectField('term', 'A choice', termOptions(t), 0, 'example-term')}
    <label for="example-text">A text</label>
    <textarea id="example-text" name="text" rows="3"></textarea>
    ${tickField('tick', 'A box', true)}
    <p class="choice"><button>Send</button></p>`;
  return html`<div class="narrow">${sessionForm(EXAMPLE_SESSION, PARTS_PATH, fields)}</div>`;
}

function navigation(t: Translator): Html {
  return html`${staffNav(t, SECTIONS, SECTIONS[1]?.path ?? '', { 'staff.reports': 2, 'staff.sign-ups': 12 })}
  ${tabs('Tabs', [
    [PARTS_PATH, 'Chosen', true],
    [PARTS_PATH, 'Another', false],
  ])}
  ${pageLinks(t, { page: 2, size: 10, total: 30 }, {})} ${olderLink(t, 'example')}`;
}

function people(t: Translator): Html {
  const listed = PEOPLE.map((person) => ({ person, note: 'A note' }));
  const button = () => actionButton({ path: PARTS_PATH, label: 'Follow', classes: 'quiet' });
  return html`${peopleList(t, listed, button)} ${faces(t, PEOPLE, 'Faces')} ${profileFields(t, PROFILE)}`;
}

function statuses(t: Translator): Html {
  const part = ([kind, facts]: (typeof STATUSES)[number], at: number) =>
    html`<p class="soft">${kind}</p>
      ${statusPart(t, statusWith(facts, at), IN_APP, { isFolded: true })}`;
  return html`<div class="posts">${STATUSES.map(part)}</div>`;
}
