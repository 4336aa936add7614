import { type ListRow, REPLIES_POLICIES, type RepliesPolicy } from '../../../accounts/index.js';
import { bdi, type Html, html, type PageContent, type Translator } from '../../../common/index.js';
import type { BrowserSession } from '../../../sign-in/index.js';
import { selectField, tickField } from '../../parts/choices.part.js';
import { actionButton, sessionForm } from '../../parts/forms.part.js';
import { peopleList } from '../../parts/listed-people.part.js';
import type { ListedMember } from '../people/app-people.js';

/** The longest title of a list, in characters. */
export const TITLE_LENGTH = 255;

export const LISTS_PATH = '/app/lists';

/** The settings of a list as they were typed. */
export interface ListDraft {
  readonly title: string;
  readonly repliesPolicy: RepliesPolicy;
  readonly exclusive: boolean;
}

/** A list with a page of its members. */
export interface ShownList {
  readonly id: string;
  readonly draft: ListDraft;
  readonly members: readonly ListedMember[];
  /** The `max_id` of the next page; undefined on the last one. */
  readonly next: string | undefined;
  /** The handle that was typed to be added. */
  readonly handle: string;
}

export const NEW_LIST: ListDraft = { title: '', repliesPolicy: 'list', exclusive: false };

/** The lists of the signed-in person. */
export function listsPage(
  t: Translator,
  session: BrowserSession,
  lists: readonly ListRow[],
  draft: ListDraft = NEW_LIST,
  alarm?: string,
): PageContent {
  const title = t.text('app.lists');
  const rows = lists.map(
    ({ id, title: name }) =>
      html`<li>
        <a href="${LISTS_PATH}/${id}">${bdi(name)}</a>
        <a class="soft" href="${LISTS_PATH}/${id}/members">${t.text('app.list.edit')}</a>
      </li>`,
  );
  return {
    title,
    main: html`<div class="narrow">
      <h1>${title}</h1>
      ${said(alarm)}
      ${
        lists.length === 0
          ? html`<p class="soft">${t.text('app.list.empty')}</p>`
          : html`<ul class="rows">
              ${rows}
            </ul>`
      }
      <h2>${t.text('lists.new')}</h2>
      ${sessionForm(session, LISTS_PATH, html`${fields(t, draft)} <button>${t.text('lists.create')}</button>`)}
    </div>`,
  };
}

/** The members and the settings of a list. */
export function membersPage(
  t: Translator,
  session: BrowserSession,
  { id, draft, members, next, handle }: ShownList,
  alarm?: string,
): PageContent {
  const path = `${LISTS_PATH}/${id}`;
  const remove = ({ person }: ListedMember) =>
    actionButton({
      path: `${path}/members/remove`,
      label: t.text('lists.remove'),
      name: `${t.text('lists.remove')}: ${person.name}`,
      field: { name: 'account', value: person.id },
      classes: 'quiet',
    });
  const add = html`<label for="handle">${t.text('lists.handle')}</label>
    <input
      id="handle"
      name="handle"
      value="${handle}"
      required
      maxlength="512"
      autocapitalize="none"
      placeholder="name@server.example"
    />
    <button>${t.text('lists.add')}</button>`;
  return {
    title: draft.title,
    main: html`<div class="narrow">
      <h1>${bdi(draft.title)}</h1>
      ${said(alarm)}
      <p>
        <a href="${path}">${t.text('lists.timeline')}</a> &middot; <a href="${LISTS_PATH}">${t.text('lists.all')}</a>
      </p>
      <h2>${t.text('lists.members')}</h2>
      ${sessionForm(session, `${path}/members`, add, { attributes: html`class="line"` })}
      ${peopleList(t, members, remove)}
      ${next !== undefined && html`<p><a class="button quiet" rel="next" href="?max_id=${next}">${t.text('people.further')}</a></p>`}
      <h2>${t.text('lists.settings')}</h2>
      ${sessionForm(session, path, html`${fields(t, draft)} <button>${t.text('people.save')}</button>`)}
      ${deletion(t, session, path)}
    </div>`,
  };
}

function fields(t: Translator, { title, repliesPolicy, exclusive }: ListDraft): Html {
  const policies = REPLIES_POLICIES.map((value) => ({ value, label: t.text(`lists.replies.${value}`) }));
  return html`<label for="title">${t.text('lists.title')}</label>
    <input id="title" name="title" value="${title}" required maxlength="${TITLE_LENGTH}" autocomplete="off" />
    ${selectField('replies_policy', t.text('lists.replies'), policies, repliesPolicy)}
    ${tickField('exclusive', t.text('lists.exclusive'), exclusive)}`;
}

function deletion(t: Translator, session: BrowserSession, path: string): Html {
  const button = html`<p class="soft">${t.text('lists.delete.text')}</p>
    <button class="danger">${t.text('lists.delete')}</button>`;
  return html`<details class="further">
    <summary>${t.text('lists.delete')}</summary>
    ${sessionForm(session, `${path}/delete`, button)}
  </details>`;
}

function said(alarm: string | undefined): Html | undefined {
  return alarm === undefined ? undefined : html`<p class="alarm" role="alert">${alarm}</p>`;
}
