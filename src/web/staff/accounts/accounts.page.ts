import type { AdminUserJson } from '../../../admin/index.js';
import { type Html, html, type MessageKey, type PageContent, type Translator } from '../../../common/index.js';
import { actionButton } from '../../parts/forms.part.js';
import type { StaffPerson } from '../frame/staff-shown.js';
import {
  accountPath,
  askFirst,
  type CountedPage,
  lines,
  listedNumber,
  pageLinks,
  personLine,
} from '../parts/staff.part.js';
import { type AccountsPageQuery, ORIGINS, ROLES, SEARCH_FIELDS, STATES } from './accounts.dto.js';

/** An account in a list. */
export interface ListedAccount {
  readonly user: AdminUserJson;
  readonly person: StaffPerson;
}

/** The search for accounts, and its results. */
export function accountsPage(
  t: Translator,
  listed: readonly ListedAccount[],
  counted: CountedPage,
  query: AccountsPageQuery,
): PageContent {
  const { q, by, origin, state, role } = query;
  const title = t.text('staff.accounts');
  return {
    title,
    main: html`<h1>${title}</h1>
      <form method="get" class="staff-search" role="search">
        <label for="q">${t.text('staff.accounts.search')}</label>
        <input id="q" name="q" type="search" value="${q}" maxlength="500" autocomplete="off" />
        ${select(t, 'by', SEARCH_FIELDS, by)} ${select(t, 'origin', ORIGINS, origin)}
        ${select(t, 'state', STATES, state)} ${select(t, 'role', ROLES, role)}
        <button>${t.text('app.search')}</button>
      </form>
      <p class="soft">${t.text('staff.accounts.found', { number: listedNumber(t, counted.total) })}</p>
      ${rows(t, listed)} ${pageLinks(t, counted, { q, by, origin, state, role })}`,
  };
}

function select(t: Translator, name: string, values: readonly string[], chosen: string): Html {
  const text = (key: string) => t.text(`staff.accounts.${key}` as MessageKey as 'staff.accounts.by');
  const options = values.map(
    (value) =>
      html`<option value="${value}" ${value === chosen && html`selected`}>${text(`${name}.${value}`)}</option>`,
  );
  return html`<span
    ><label for="${name}">${text(name)}</label
    ><select id="${name}" name="${name}">
      ${options}
    </select></span
  >`;
}

function rows(t: Translator, listed: readonly ListedAccount[]): Html {
  return html`<ul class="rows">
    ${listed.map(({ user, person }) => {
      const states = statesOf(t, user);
      const more = html`<br /><span class="soft"
          >${t.text('account.sessions.since', { day: t.day(user.created_at) })}
          ${states !== '' && html`&middot; ${states}`}</span
        >`;
      return html`<li>${personLine(person, accountPath(user.id), more)}</li>`;
    })}
  </ul>`;
}

/** The roles and the states of an account that differ from those of most accounts. */
export function statesOf(t: Translator, user: AdminUserJson): string {
  const states: (string | false)[] = [
    user.roles.admin && t.text('staff.account.admin'),
    user.roles.moderator && t.text('staff.account.moderator'),
    user.deactivated && t.text('staff.account.deactivated'),
    user.approval_pending && t.text('staff.account.pending'),
    user.confirmation_pending && t.text('staff.account.unconfirmed'),
    user.is_suggested && t.text('staff.account.suggested'),
  ];
  return states.filter((state) => state !== false).join(', ');
}

/** The accounts that wait for approval, with their reasons. */
export function signUpsPage(t: Translator, listed: readonly ListedAccount[], counted: CountedPage): PageContent {
  const title = t.text('staff.sign-ups');
  return {
    title,
    main: html`<h1>${title}</h1>
      ${listed.length === 0 && html`<p class="soft">${t.text('staff.sign-ups.none')}</p>`}
      ${listed.map((each) => signUp(t, each))} ${pageLinks(t, counted, {})}`,
  };
}

function signUp(t: Translator, { user, person }: ListedAccount): Html {
  const path = (action: string) => `${accountPath(user.id)}/actions/${action}`;
  const mail = user.confirmation_pending ? 'staff.account.unconfirmed' : 'staff.account.confirmed';
  return html`<section class="card staff-part">
    <h2 class="hidden">@${user.nickname}</h2>
    ${personLine(person, accountPath(user.id))}
    <p class="soft">
      ${user.email !== null && html`${user.email} (${t.text(mail)}) &middot; `}<time datetime="${user.created_at}"
        >${t.moment(user.created_at)}</time
      >
    </p>
    ${user.registration_reason !== null && html`<blockquote>${lines(user.registration_reason)}</blockquote>`}
    <div class="staff-acts">
      ${actionButton({ path: path('approve'), label: t.text('staff.account.approve') })}
      ${askFirst(t.text('staff.account.reject.ask'), { path: path('reject'), label: t.text('staff.account.reject') })}
    </div>
  </section>`;
}
