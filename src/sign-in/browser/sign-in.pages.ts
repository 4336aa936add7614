import type { LoginState } from '../../accounts/index.js';
import type { ChallengeType } from '../mfa/mfa.service.js';
import { type Html, html, type PageContent, type Translator } from '../../common/index.js';
import { CONFIRMATION_PATH, formPage, SIGN_IN_PATH } from '../pages/form.pages.js';

export const SIGN_UP_PATH = '/auth/sign_up';
export const AUTHORIZE_PATH = '/oauth/authorize';

/** The fields of a sign-in; `named` gives the names that the form sends them by. */
export function signInFields(t: Translator, named = (field: string) => field): Html {
  return html`<label for="name">${t.text('sign-in.name')}</label>
    <input id="name" name="${named('name')}" required autocomplete="username" autocapitalize="none" />
    <label for="password">${t.text('sign-in.password')}</label>
    <input id="password" name="${named('password')}" type="password" required autocomplete="current-password" />
    <p><a href="/auth/password">${t.text('sign-in.forgotten')}</a></p>`;
}

/** Leads people without an account to the form that makes one, and from there to a path of this server. */
export function signUpLink(t: Translator, returnTo: string): Html {
  const path = `${SIGN_UP_PATH}?${new URLSearchParams({ return_to: returnTo }).toString()}`;
  return html`<p>${t.text('sign-in.new')} <a href="${path}">${t.text('sign-up.title')}</a></p>`;
}

/** Why an account may not sign in, and where the reader confirms its address. */
export function refusal(t: Translator, state: Exclude<LoginState, 'ok'>): Html {
  return html`${t.text(`sign-in.${state}`)}
  ${state === 'unconfirmed' && html`<a href="${CONFIRMATION_PATH}">${t.text('confirm.title')}</a>`}`;
}

/** Signs in to the pages of this server. */
export function signInPage(
  t: Translator,
  returnTo: string,
  { alarm, notice }: { readonly alarm?: Html | string; readonly notice?: string } = {},
): PageContent {
  const page = formPage(
    t.text('sign-in.title'),
    alarm,
    html`${notice !== undefined && html`<p class="notice">${notice}</p>`}
      <form method="post" action="${SIGN_IN_PATH}">
        <input type="hidden" name="return_to" value="${returnTo}" />
        ${signInFields(t)}
        <button>${t.text('sign-in.submit')}</button>
        ${signUpLink(t, returnTo)}
      </form>`,
  );
  return { ...page, bar: { appPath: returnTo, here: 'sign-in' }, submitsTo: sitesBehind(returnTo) };
}

/** The sites that a path sends browsers on to. An app that is allowed already gets its code at once, on a site with TLS (threat O19). */
function sitesBehind(returnTo: string): readonly string[] {
  return returnTo.startsWith(`${AUTHORIZE_PATH}?`) ? ['https:'] : [];
}

export const CODE_PATH = '/oauth/mfa';

/** A sign-in that waits for the code of a second factor. */
export interface CodeNeeded {
  readonly challenge: string;
  readonly type: ChallengeType;
  readonly alarm?: string;
  /** The path of this server to go on with. */
  readonly returnTo?: string | undefined;
  /** The targets of the sign-in, as sources of a Content-Security-Policy, where the path does not tell them. */
  readonly submitsTo?: readonly string[];
}

/** Asks for the code of a second factor. */
export function codeNeededPage(
  t: Translator,
  { challenge, type, alarm, returnTo = '', submitsTo = sitesBehind(returnTo) }: CodeNeeded,
): PageContent {
  const other = type === 'totp' ? 'recovery' : 'totp';
  const query = new URLSearchParams({ mfa_token: challenge, challenge_type: other }).toString();
  const page = formPage(
    t.text('second-factor.title'),
    alarm,
    html`<form method="post" action="${CODE_PATH}/verify">
      <input type="hidden" name="mfa[mfa_token]" value="${challenge}" />
      <input type="hidden" name="mfa[challenge_type]" value="${type}" />
      <label for="code">${t.text(`second-factor.${type}`)}</label>
      <input id="code" name="mfa[code]" required autofocus autocomplete="one-time-code" autocapitalize="none" />
      <p><a href="${CODE_PATH}?${query}">${t.text(`second-factor.use-${other}`)}</a></p>
      <button>${t.text('sign-in.submit')}</button>
    </form>`,
  );
  return { ...page, bar: { appPath: returnTo, here: 'sign-in' }, submitsTo };
}
