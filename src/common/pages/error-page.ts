import type { Reason } from '../reasons/reasons.js';
import type { Translator } from '../i18n/translator.js';
import type { PageContent } from './layout.js';
import { html } from '../i18n/template.js';

const OWN_TEXT = [403, 404, 429, 503] as const;

/**
 * A failure for people: its meaning and a way on, without internal details. `id` names it in the log; the reason is shown
 * where the status says nothing.
 */
export function errorPage(t: Translator, status: number, id: string, reason?: Reason): PageContent {
  const [title, text] = words(t, status, id, reason);
  const main = html`<div class="narrow">
    <h1>${title}</h1>
    <p class="lead">${text}</p>
    <p><a href="/">${t.text('page.home')}</a></p>
  </div>`;
  return { title, main };
}

function words(t: Translator, status: number, id: string, reason?: Reason): readonly [title: string, text: string] {
  const own = OWN_TEXT.find((each) => each === status);
  if (own !== undefined) return [t.text(`error.${own}.title`), t.text(`error.${own}.text`)];
  if (status < 500) return [t.text('error.4xx.title'), reason ? t.reason(reason) : t.text('error.4xx.text')];
  return [t.text('error.5xx.title'), t.text('error.5xx.text', { id })];
}
