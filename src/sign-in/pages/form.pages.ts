import { type Html, html, type PageContent } from '../../common/index.js';

export const SIGN_IN_PATH = '/auth/sign_in';
/** The page that sends the letter which confirms an address again. */
export const CONFIRMATION_PATH = '/auth/confirmation';

/** A page in the common frame: its title, a failure if there is one, and its content. */
export function formPage(title: string, alarm: Html | string | undefined, content: Html): PageContent {
  const main = html`<div class="narrow">
    <h1>${title}</h1>
    ${alarm !== undefined && html`<p class="alarm" role="alert">${alarm}</p>`} ${content}
  </div>`;
  return { title, main };
}

/** A message, without a form. */
export function messagePage(title: string, text: string): PageContent {
  return formPage(title, undefined, html`<p class="lead">${text}</p>`);
}
