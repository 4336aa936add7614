import { renderSVG } from 'uqr';
import { bdi, type Html, html, type MessageKey, type PageContent, type Translator } from '../../common/index.js';
import type { SignInRow } from '../../oauth/index.js';
import { type BrowserSession, formPage, type TotpSetup } from '../../sign-in/index.js';
import { sessionForm } from '../parts/forms.part.js';

export const ACCOUNT_PATH = '/auth/account';

/** The pages of the settings, by groups, in the order of the list. */
const GROUPS = {
  person: ['profile', 'preferences', 'filters', 'follows'],
  security: ['password', 'email', 'second-factor', 'sessions'],
  account: ['data', 'move', 'delete'],
} as const;
export type Section = (typeof GROUPS)[keyof typeof GROUPS][number];

/** The message of a page of the account above its content: a success or the reason of a failure. */
export interface Said {
  readonly alarm?: string;
  readonly notice?: string;
}

export const pathOf = (section: Section) => `${ACCOUNT_PATH}/${section.replace('-', '_')}`;

/** The overview: all pages of the settings, and the way out. */
export function accountPage(t: Translator, session: BrowserSession, handle: string): PageContent {
  return formPage(
    t.text('account.title'),
    undefined,
    html`<p class="lead">${t.html('account.lead', { account: html`<b>${bdi(handle)}</b>` })}</p>
      ${Object.entries(GROUPS).map(
        ([group, sections]) =>
          html`<h2>${t.text(`settings.group.${group as keyof typeof GROUPS}`)}</h2>
            <ul class="rows">
              ${sections.map((section) => sectionLink(t, section))}
            </ul>`,
      )}
      ${sessionForm(session, '/auth/sign_out', html`<button class="quiet">${t.text('account.sign-out')}</button>`)}`,
  );
}

function sectionLink(t: Translator, section: Section): Html {
  return html`<li>
    <a class="whom" href="${pathOf(section)}"
      ><span
        ><b>${t.text(`account.${section}`)}</b> <small class="soft">${t.text(`settings.about.${section}`)}</small></span
      ></a
    >
  </li>`;
}

/** A page of the settings. */
export function sectionPage(t: Translator, section: Section, { alarm, notice }: Said, content: Html): PageContent {
  const back = html`<p><a href="${ACCOUNT_PATH}">&larr; ${t.text('account.back')}</a></p>`;
  const status = notice !== undefined && html`<p class="notice" role="status">${notice}</p>`;
  return formPage(t.text(`account.${section}`), alarm, html`${status} ${content} ${back}`);
}

/** The field for the current password. */
export function passwordField(t: Translator): Html {
  return html`<label for="password">${t.text('account.password.current')}</label>
    <input id="password" name="password" type="password" required autocomplete="current-password" />`;
}

/** A field of one line. */
export function textField(
  t: Translator,
  name: string,
  label: MessageKey & `account.${string}`,
  attributes: Html,
): Html {
  return html`<label for="${name}">${t.text(label as 'account.move.alias')}</label>
    <input id="${name}" name="${name}" required ${attributes} />`;
}

export function passwordPage(t: Translator, session: BrowserSession, said: Said = {}): PageContent {
  const content = html`<p>${t.text('account.password.text')}</p>
    ${sessionForm(
      session,
      pathOf('password'),
      html`${passwordField(t)}
        ${textField(t, 'new_password', 'account.password.new', html`type="password" autocomplete="new-password"`)}
        <button>${t.text('account.password.submit')}</button>`,
    )}`;
  return sectionPage(t, 'password', said, content);
}

export function emailPage(t: Translator, session: BrowserSession, email: string | null, said: Said = {}): PageContent {
  const now =
    email === null
      ? t.text('account.email.none')
      : t.html('account.email.now', { address: html`<b>${bdi(email)}</b>` });
  const content = html`<p>${now}</p>
    ${sessionForm(
      session,
      pathOf('email'),
      html`<label for="email">${t.text('account.email.new')}</label>
        <input id="email" name="email" type="email" autocomplete="email" />
        ${passwordField(t)} <button>${t.text('account.email.submit')}</button>`,
    )}`;
  return sectionPage(t, 'email', said, content);
}

/** The content of the page of the second factor: its setup while it is off, and new recovery codes. */
export interface SecondFactorState {
  readonly setup: TotpSetup | undefined;
  readonly newCodes?: readonly string[];
}

export function secondFactorPage(
  t: Translator,
  session: BrowserSession,
  { setup, newCodes = [] }: SecondFactorState,
  said: Said = {},
): PageContent {
  const codes =
    newCodes.length > 0 &&
    html`<p>${t.text('account.second-factor.codes')}</p>
      <p class="copy">${newCodes.map((code) => html`<code>${code}</code><br />`)}</p>`;
  return sectionPage(
    t,
    'second-factor',
    said,
    html`${codes} ${setup ? turnOn(t, session, setup) : turnOff(t, session)}`,
  );
}

function turnOn(t: Translator, session: BrowserSession, { key, provisioningUri }: TotpSetup): Html {
  const picture = `data:image/svg+xml;base64,${Buffer.from(renderSVG(provisioningUri)).toString('base64')}`;
  return html`<p>${t.text('account.second-factor.off')}</p>
    <p>${t.text('account.second-factor.scan')}</p>
    <p>
      <img class="captcha" src="${picture}" alt="${t.text('account.second-factor.picture')}" width="220" height="220" />
    </p>
    <p>${t.text('account.second-factor.key')}: <code class="copy">${key}</code></p>
    ${sessionForm(
      session,
      pathOf('second-factor'),
      html`${textField(t, 'code', 'second-factor.totp' as 'account.move.alias', html`inputmode="numeric" autocomplete="one-time-code"`)}
      ${passwordField(t)} ${choice('enable', t.text('account.second-factor.enable'))}`,
    )}`;
}

function turnOff(t: Translator, session: BrowserSession): Html {
  return html`<p>${t.text('account.second-factor.on')}</p>
    ${sessionForm(session, pathOf('second-factor'), choice('renew', t.text('account.second-factor.renew'), 'quiet'))}
    ${sessionForm(
      session,
      pathOf('second-factor'),
      html`${passwordField(t)} ${choice('disable', t.text('account.second-factor.disable'))}`,
    )}`;
}

/** A button that says what the form is to do. */
export function choice(op: string, label: string, looks = ''): Html {
  return html`<button name="op" value="${op}" class="${looks}">${label}</button>`;
}

/** The apps and browsers that are signed in, each with a button that ends it. */
export function sessionsPage(
  t: Translator,
  session: BrowserSession,
  signIns: readonly SignInRow[],
  said: Said = {},
): PageContent {
  const items = signIns.map(({ id, appName: app, createdAt: since }) => {
    const mark = id === session.tokenId && html`<span class="soft">(${t.text('account.sessions.this')})</span>`;
    const end = html`<input type="hidden" name="id" value="${id}" />
      <button class="quiet" aria-label="${`${t.text('account.sessions.end')}: ${app}`}">
        ${t.text('account.sessions.end')}
      </button>`;
    return html`<li>
      <span
        >${bdi(app)} ${mark}<br /><span class="soft"
          >${t.text('account.sessions.since', { day: t.day(since) })}</span
        ></span
      >
      ${sessionForm(session, pathOf('sessions'), end)}
    </li>`;
  });
  const content = html`<p>${t.text('account.sessions.text')}</p>
    <ul class="rows">
      ${items}
    </ul>`;
  return sectionPage(t, 'sessions', said, content);
}

export function deletePage(t: Translator, session: BrowserSession, said: Said = {}): PageContent {
  const content = html`<p>${t.text('account.delete.text')}</p>
    ${sessionForm(session, pathOf('delete'), html`${passwordField(t)} <button class="danger">${t.text('account.delete')}</button>`)}`;
  return sectionPage(t, 'delete', said, content);
}
