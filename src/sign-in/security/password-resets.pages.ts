import { type Html, html, type PageContent, type Translator } from '../../common/index.js';
import { formPage, SIGN_IN_PATH } from '../pages/form.pages.js';

export const RESET_REQUEST_PATH = '/auth/password';
const RESET_PATH = '/api/v1/svc/password_reset';

/** Asks whose password was forgotten. */
export function resetRequestForm(t: Translator): Html {
  return html`<p class="lead">${t.text('reset.lead')}</p>
    <form method="post" action="${RESET_REQUEST_PATH}">
      <label for="login">${t.text('sign-in.name')}</label>
      <input id="login" name="email" required autocomplete="username" autocapitalize="none" />
      <button>${t.text('reset.request')}</button>
    </form>
    <p><a href="${SIGN_IN_PATH}">${t.text('sign-in.title')}</a></p>`;
}

/** Does not reveal whether the account exists. */
export function resetRequestedPage(t: Translator): PageContent {
  return formPage(
    t.text('reset.requested.title'),
    undefined,
    html`<p class="lead">${t.text('reset.requested.text')}</p>`,
  );
}

/** Asks for the new password. */
export function newPasswordPage(t: Translator, token: string, alarm?: string): PageContent {
  const password = html`type="password" required autocomplete="new-password"`;
  return formPage(
    t.text('reset.new.title'),
    alarm,
    html`<p class="lead">${t.text('reset.new.lead')}</p>
      <form method="post" action="${RESET_PATH}">
        <input type="hidden" name="data[token]" value="${token}" />
        <label for="password">${t.text('account.password.new')}</label>
        <input id="password" name="data[password]" ${password} />
        <label for="again">${t.text('reset.new.again')}</label>
        <input id="again" name="data[password_confirmation]" ${password} />
        <button>${t.text('reset.new.submit')}</button>
      </form>`,
  );
}

export function resetDonePage(t: Translator): PageContent {
  return formPage(
    t.text('reset.done.title'),
    undefined,
    html`<p class="lead">${t.text('reset.done.text')}</p>
      <p><a href="${SIGN_IN_PATH}">${t.text('sign-in.title')}</a></p>`,
  );
}

/** The link was used, is older than a day, or is incomplete. */
export function resetInvalidPage(t: Translator): PageContent {
  return formPage(
    t.text('confirm.invalid.title'),
    undefined,
    html`<p class="lead">${t.text('reset.invalid.text')}</p>
      <p><a href="${RESET_REQUEST_PATH}">${t.text('reset.request')}</a></p>`,
  );
}
