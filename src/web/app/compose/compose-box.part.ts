import { type Html, html, type Translator } from '../../../common/index.js';
import type { BrowserSession } from '../../../sign-in/index.js';
import { sessionForm } from '../../parts/forms.part.js';
import { textArea, visibilityField, warningField } from './compose-fields.part.js';

/** What a box begins with. */
export interface BoxContent {
  readonly visibility: string;
  /** Is new on each page, so that a form that is sent twice posts once. */
  readonly key: string;
}

/** A small form for a post, for other pages; one of its buttons leads to all fields. */
export function composeBox(t: Translator, session: BrowserSession, { visibility, key }: BoxContent): Html {
  const fields = html`<input type="hidden" name="key" value="${key}" />
    <label for="text" class="hidden">${t.text('compose.box')}</label>
    ${textArea('text', 'text', '', html`rows="3" placeholder="${t.text('compose.box')}"`)} ${warningField(t, '')}
    <div class="choice">
      ${visibilityField(t, visibility, { isCompact: true })}
      <button name="action" value="post">${t.text('compose.submit')}</button>
      <button class="quiet" name="action" value="more">${t.text('compose.more')}</button>
    </div>`;
  return sessionForm(session, '/app/compose', fields, { attributes: html`class="card compose box"` });
}
