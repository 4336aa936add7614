import { type Html, html, type PageContent, type Translator } from '../../common/index.js';
import { CONFIRMATION_PATH, messagePage } from '../pages/form.pages.js';

/** Says where the link is that confirms an address, and offers another letter. */
export function confirmationForm(t: Translator): Html {
  return html`<p class="lead">${t.text('confirm.lead')}</p>
    <form method="post" action="${CONFIRMATION_PATH}">
      <label for="login">${t.text('sign-in.name')}</label>
      <input id="login" name="login" required autocomplete="username" autocapitalize="none" />
      <button>${t.text('confirm.request')}</button>
    </form>`;
}

/** Does not reveal whether an account waits for a letter (threat O13). */
export function confirmationRequestedPage(t: Translator): PageContent {
  return messagePage(t.text('reset.requested.title'), t.text('confirm.requested'));
}
