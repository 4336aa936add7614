import { bdi, type Html, html, type PageContent, type Translator } from '../../../common/index.js';
import type { BrowserSession, InviteRole, ListedInvite } from '../../../sign-in/index.js';
import { sessionForm } from '../../parts/forms.part.js';
import { STAFF_PATH } from '../frame/staff-sections.js';
import { askFirst, type Said, saidPart } from '../parts/staff.part.js';

export const INVITES_PATH = `${STAFF_PATH}/invites`;

/** What the forms of the page held when they failed. */
export interface InviteDraft extends Said {
  readonly maxUse?: string;
  readonly expiresAt?: string;
  readonly email?: string;
  readonly name?: string;
}

/** What the page shows. */
export interface ShownInvites {
  readonly invites: readonly ListedInvite[];
  readonly role: InviteRole;
  readonly isChangeable: boolean;
}

/** The invites, and the forms of new ones. */
export function invitesPage(
  t: Translator,
  session: BrowserSession,
  { invites, role, isChangeable }: ShownInvites,
  draft: InviteDraft = {},
): PageContent {
  const title = t.text('staff.invites');
  return {
    title,
    main: html`<h1>${title}</h1>
      ${saidPart(draft)} ${role !== 'needed' && roleNotice(t, role)} ${isChangeable && newInvite(t, session, draft)}
      ${invites.length === 0 && html`<p class="soft">${t.text('staff.invites.none')}</p>`}
      <ul class="rows">
        ${invites.map((invite) => inviteRow(t, invite, isChangeable))}
      </ul>
      ${isChangeable && inviteByMail(t, session, draft)}`,
  };
}

/** Why an invite made now does not help, and where to change that. */
function roleNotice(t: Translator, role: Exclude<InviteRole, 'needed'>): Html {
  return html`<p class="notice">
    ${t.text(`staff.invites.role.${role}`)} <a href="${STAFF_PATH}/settings">${t.text('staff.settings')}</a>
  </p>`;
}

function inviteRow(
  t: Translator,
  { url, token, uses, maxUse, expiresAt, used }: ListedInvite,
  isChangeable: boolean,
): Html {
  const isOver = used && t.text('staff.invites.over');
  const most = maxUse !== null && t.text('staff.invites.most', { number: maxUse });
  const last = expiresAt !== null && t.text('staff.invites.until', { day: t.day(expiresAt) });
  const facts = [isOver, t.text('staff.invites.uses', { number: uses }), most, last].filter((each) => each !== false);
  return html`<li>
    <span><code>${bdi(url)}</code><br /><span class="soft">${facts.join(' · ')}</span></span>
    ${
      isChangeable &&
      !used &&
      askFirst(t.text('staff.invites.revoke.ask'), {
        path: `${INVITES_PATH}/revoke`,
        label: t.text('staff.invites.revoke'),
        field: { name: 'token', value: token },
      })
    }
  </li>`;
}

function newInvite(t: Translator, session: BrowserSession, { maxUse = '', expiresAt = '' }: InviteDraft): Html {
  const fields = html`<h2>${t.text('staff.invites.new')}</h2>
    <label for="max_use">${t.text('staff.invites.max-use')}</label>
    <input id="max_use" name="max_use" type="number" min="1" max="1000000" value="${maxUse}" />
    <label for="expires_at">${t.text('staff.invites.last-day')}</label>
    <input id="expires_at" name="expires_at" type="date" value="${expiresAt}" />
    <button>${t.text('staff.invites.create')}</button>`;
  return sessionForm(session, INVITES_PATH, fields, { attributes: html`class="card staff-part"` });
}

function inviteByMail(t: Translator, session: BrowserSession, { email = '', name = '' }: InviteDraft): Html {
  const fields = html`<h2>${t.text('staff.invites.mail')}</h2>
    <label for="email">${t.text('staff.account.email')}</label>
    <input id="email" name="email" type="email" required maxlength="1000" value="${email}" autocomplete="off" />
    <label for="name">${t.text('staff.invites.name')}</label>
    <input id="name" name="name" maxlength="1000" value="${name}" autocomplete="off" />
    <button>${t.text('staff.invites.send')}</button>`;
  return sessionForm(session, `${INVITES_PATH}/mail`, fields, { attributes: html`class="card staff-part"` });
}
