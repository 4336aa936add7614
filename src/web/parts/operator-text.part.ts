import { type Html, html, safe, sanitizeHtml } from '../../common/index.js';
import type { Settings } from '../../config/index.js';

/** What the operator says to people who want an account, sanitised; nothing where there is no such text. */
export function registrationMessage(settings: Settings): Html | undefined {
  const text = sanitizeHtml(settings.get('instance.registration_message'));
  const [language = 'en'] = settings.get('instance.languages');
  return text === '' ? undefined : html`<div class="words" lang="${language}" dir="auto">${safe(text)}</div>`;
}
