import type { AdminUserJson } from '../../../admin/index.js';
import { bdi, type Html, html, type PageContent, type Translator } from '../../../common/index.js';
import type { SignInRow } from '../../../oauth/index.js';
import type { BrowserSession } from '../../../sign-in/index.js';
import { actionButton, sessionForm } from '../../parts/forms.part.js';
import type { StaffPerson } from '../frame/staff-shown.js';
import { STAFF_PATH } from '../frame/staff-sections.js';
import { activationButton, restrictionButtons } from '../parts/account-actions.part.js';
import { type ReportRow, reportRows } from '../parts/report-row.part.js';
import {
  accountPath,
  askFirst,
  factList,
  lines,
  personLine,
  type Said,
  saidPart,
  withQuery,
} from '../parts/staff.part.js';
import type { AccountAction } from './account-actions.controller.js';
import { statesOf } from './accounts.page.js';

/** An account with everything that its page shows. */
export interface StaffAccount {
  readonly user: AdminUserJson;
  readonly person: StaffPerson;
  readonly signIns: readonly SignInRow[];
  readonly reports: readonly ReportRow[];
  /** Whether the viewer may change the account. */
  readonly isChangeable: boolean;
}

/** An account: what the server knows of it, and what the staff can do. */
export function staffAccountPage(t: Translator, session: BrowserSession, account: StaffAccount): PageContent {
  const { user, person, reports, isChangeable } = account;
  const title = `@${user.nickname}`;
  return {
    title,
    main: html`<h1>${bdi(title)}</h1>
      <p>${personLine(person, `/app/people/${user.id}`)}</p>
      ${facts(t, user)}
      <p class="choice">
        <a class="button quiet" href="/app/people/${user.id}">${t.text('staff.account.profile')}</a>
        <a class="button quiet" href="${withQuery(`${STAFF_PATH}/posts`, { account: user.nickname, every: 'true' })}"
          >${t.text('staff.posts')}</a
        >
      </p>
      ${isChangeable && changes(t, session, user)} ${signInList(t, account)}
      <section class="staff-part">
        <h2>${t.text('staff.reports')}</h2>
        ${reportRows(t, reports)}
        ${
          reports.length > 0 &&
          html`<p>
            <a href="${withQuery(`${STAFF_PATH}/reports`, { state: 'all', account: user.id })}"
              >${t.text('staff.account.all-reports')}</a
            >
          </p>`
        }
      </section>`,
  };
}

function facts(t: Translator, user: AdminUserJson): Html {
  const { created_at: since, email, registration_reason: reason, tags } = user;
  return factList([
    [t.text('staff.account.state'), statesOf(t, user) || t.text('staff.account.active')],
    [t.text('staff.account.email'), email],
    [t.text('staff.account.since'), html`<time datetime="${since}">${t.moment(since)}</time>`],
    [t.text('staff.account.reason'), reason !== null && lines(reason)],
    [t.text('staff.account.tags'), tags.join(', ')],
  ]);
}

/** A button for an action that can be taken back. */
function button(t: Translator, { id }: AdminUserJson, action: AccountAction & keyof typeof LABELS): Html {
  return actionButton({ path: actionPath(id, action), label: t.text(LABELS[action]), classes: 'quiet' });
}

/** A button behind a question. */
function question(t: Translator, { id }: AdminUserJson, action: AccountAction & keyof typeof QUESTIONS): Html {
  const [label, ask] = QUESTIONS[action];
  return askFirst(t.text(ask), { path: actionPath(id, action), label: t.text(label) });
}

const actionPath = (id: string, action: AccountAction) => `${accountPath(id)}/actions/${action}`;

const LABELS = {
  approve: 'staff.account.approve',
  confirm: 'staff.account.confirm',
  resend: 'staff.account.resend',
  suggest: 'staff.account.suggest',
  unsuggest: 'staff.account.unsuggest',
  backup: 'staff.account.backup',
  'grant-moderator': 'staff.account.grant-moderator',
  'revoke-moderator': 'staff.account.revoke-moderator',
} as const;

const QUESTIONS = {
  reject: ['staff.account.reject', 'staff.account.reject.ask'],
  'grant-admin': ['staff.account.grant-admin', 'staff.account.grant-admin.ask'],
  'revoke-admin': ['staff.account.revoke-admin', 'staff.account.revoke-admin.ask'],
  'force-password': ['staff.account.force-password', 'staff.account.force-password.ask'],
  'disable-mfa': ['staff.account.disable-mfa', 'staff.account.disable-mfa.ask'],
  delete: ['staff.account.delete', 'staff.account.delete.ask'],
} as const;

function changes(t: Translator, session: BrowserSession, user: AdminUserJson): Html {
  return html`<section class="staff-part">
      <h2>${t.text('staff.account.admission')}</h2>
      <div class="staff-acts">
        ${user.approval_pending && html`${button(t, user, 'approve')} ${question(t, user, 'reject')}`}
        ${user.confirmation_pending && html`${button(t, user, 'confirm')} ${button(t, user, 'resend')}`}
        ${activationButton(t, user)} ${button(t, user, user.is_suggested ? 'unsuggest' : 'suggest')}
        ${question(t, user, 'delete')}
      </div>
    </section>
    <section class="staff-part">
      <h2>${t.text('staff.restrict')}</h2>
      ${restrictionButtons(t, user)}
    </section>
    ${user.local && localChanges(t, session, user)}`;
}

/** What concerns people with an account here only. */
function localChanges(t: Translator, session: BrowserSession, user: AdminUserJson): Html {
  const { admin, moderator } = user.roles;
  const link = html`<button class="quiet">${t.text('staff.account.password-link')}</button>`;
  return html`<section class="staff-part">
      <h2>${t.text('staff.account.roles')}</h2>
      <div class="staff-acts">
        ${button(t, user, moderator ? 'revoke-moderator' : 'grant-moderator')}
        ${question(t, user, admin ? 'revoke-admin' : 'grant-admin')}
      </div>
    </section>
    <section class="staff-part">
      <h2>${t.text('staff.account.access')}</h2>
      <div class="staff-acts">
        ${sessionForm(session, `${accountPath(user.id)}/password_link`, link)} ${question(t, user, 'force-password')}
        ${question(t, user, 'disable-mfa')} ${button(t, user, 'backup')}
      </div>
    </section>`;
}

function signInList(t: Translator, { user, signIns }: StaffAccount): Html | undefined {
  if (!user.local) return undefined;
  return html`<section class="staff-part">
    <h2>${t.text('staff.account.sign-ins')}</h2>
    ${signIns.length === 0 && html`<p class="soft">${t.text('staff.account.no-sign-ins')}</p>`}
    <ul>
      ${signIns.map(
        ({ appName, createdAt }) =>
          html`<li>
            ${bdi(appName)} <span class="soft">${t.text('account.sessions.since', { day: t.day(createdAt) })}</span>
          </li>`,
      )}
    </ul>
  </section>`;
}

/** A new link for the password of an account, or the reason why there is none. */
interface PasswordLink extends Said {
  readonly acct: string;
  readonly link?: string;
  readonly back: string;
}

/** Shows the link, which the server cannot show again. */
export function passwordLinkPage(t: Translator, { acct, link, back, ...said }: PasswordLink): PageContent {
  const title = t.text('staff.account.password-link');
  return {
    title,
    main: html`<h1>${title}</h1>
      ${saidPart(said)}
      ${
        link !== undefined &&
        html`<p>${t.html('staff.account.password-link.text', { name: bdi(`@${acct}`) })}</p>
          <p><code class="copy">${link}</code></p>`
      }
      <p><a href="${back}">&larr; ${t.text('app.back')}</a></p>`,
  };
}
