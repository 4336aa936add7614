import { bdi, type Html, html, type PageContent, type Translator } from '../../common/index.js';
import type { BrowserSession } from '../../sign-in/index.js';
import type { ListedMember } from '../app/people/app-people.js';
import { actionButton, sessionForm } from '../parts/forms.part.js';
import { peopleList, personPath } from '../parts/listed-people.part.js';
import { choice, pathOf, type Said, sectionPage } from './account.pages.js';

/** The lists of the page. */
export const RELATIONS = ['mutes', 'blocks', 'servers'] as const;
export type Relation = (typeof RELATIONS)[number];

/** A page of one of the lists. */
export interface ShownRelations {
  readonly of: Relation;
  readonly people: readonly ListedMember[];
  readonly servers: readonly string[];
  /** The `max_id` of the next page; undefined on the last one. */
  readonly next: string | undefined;
}

/** The page of muted and blocked accounts, and of blocked servers. */
export function relationsPage(
  t: Translator,
  session: BrowserSession,
  { of, people, servers, next }: ShownRelations,
  said: Said = {},
  typed = '',
): PageContent {
  const path = pathOf('follows');
  const tabs = RELATIONS.map(
    (each) =>
      html`<a href="${path}?of=${each}" ${each === of && html`aria-current="page"`}>${t.text(`settings.${each}`)}</a>`,
  );
  const content = html`<nav class="tabs" aria-label="${t.text('account.follows')}">${tabs}</nav>
    ${of === 'servers' ? serverList(t, session, servers, typed) : peopleList(t, people, (each) => undo(t, of, each))}
    ${next !== undefined && html`<p><a class="button quiet" rel="next" href="${path}?of=${of}&max_id=${next}">${t.text('people.further')}</a></p>`}`;
  return sectionPage(t, 'follows', said, content);
}

function undo(t: Translator, of: Relation, { person }: ListedMember): Html {
  const action = of === 'blocks' ? 'unblock' : 'unmute';
  const label = t.text(`people.act.${action}`);
  return actionButton({
    path: `${personPath(person.id)}/actions/${action}`,
    label,
    name: `${label}: @${person.handle}`,
    classes: 'quiet',
  });
}

function serverList(t: Translator, session: BrowserSession, servers: readonly string[], typed: string): Html {
  const path = `${pathOf('follows')}?of=servers`;
  const label = t.text('people.act.unblock-server');
  const rows = servers.map((domain) => {
    const fields = html`<input type="hidden" name="domain" value="${domain}" />
      <button class="quiet" name="op" value="unblock" aria-label="${label}: ${domain}">
        ${t.text('people.act.unblock')}
      </button>`;
    return html`<li>${bdi(domain)} ${sessionForm(session, path, fields)}</li>`;
  });
  const add = html`<label for="domain">${t.text('settings.server')}</label>
    <input
      id="domain"
      name="domain"
      value="${typed}"
      required
      maxlength="512"
      placeholder="server.example"
      autocapitalize="none"
    />
    ${choice('block', t.text('people.act.block'), 'danger')}`;
  const list = html`<ul class="rows people">
    ${rows}
  </ul>`;
  return html`${servers.length === 0 ? html`<p class="soft">${t.text('settings.servers.none')}</p>` : list}
    <p class="soft">${t.text('people.server.text')}</p>
    ${sessionForm(session, path, add, { attributes: html`class="line"` })}`;
}
