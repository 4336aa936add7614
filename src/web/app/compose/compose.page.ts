import { type Html, html, type PageContent, type Translator } from '../../../common/index.js';
import type { BrowserSession } from '../../../sign-in/index.js';
import { nameOf } from '../../parts/emoji.part.js';
import type { ShownStatus } from '../../parts/shown.js';
import { statusPart, type StatusPlace } from '../../parts/status.part.js';
import { IN_APP } from '../statuses/status-actions.part.js';
import type { ComposeFormBody } from './compose.dto.js';
import {
  expiryField,
  filesFields,
  folded,
  formatField,
  type FormChoices,
  type FormFile,
  languageField,
  pollFields,
  quotesField,
  textFields,
  timeField,
  visibilityField,
  writingForm,
} from './compose-fields.part.js';

/** Posts beside a form: they lead to their pages, and have no buttons. */
const BESIDE: StatusPlace = { person: (person) => IN_APP.person(person), status: (post) => IN_APP.status(post) };

/** Number of empty options that the button for more of them adds to a poll. */
const MORE_OPTIONS = 2;

/** What the page of a new post shows. */
export interface ComposePage {
  readonly form: ComposeFormBody;
  readonly choices: FormChoices;
  /** The files of the form that were uploaded before. */
  readonly files: readonly FormFile[];
  readonly parent: ShownStatus | undefined;
  readonly quoted: ShownStatus | undefined;
  /** The post as it would be. */
  readonly preview?: ShownStatus | undefined;
  /** Why the last try failed. */
  readonly alarm?: string | undefined;
  readonly notice?: string | undefined;
}

/** The page on which people write a post. */
export function composePage(t: Translator, session: BrowserSession, page: ComposePage): PageContent {
  const { parent, quoted, preview, alarm, notice } = page;
  return {
    title: parent
      ? t.text('compose.reply', { name: parent.author.name })
      : t.text(quoted ? 'compose.quote' : 'compose.title'),
    main: html`<h1>${heading(t, page)}</h1>
      ${notice !== undefined && html`<p class="notice">${notice}</p>`}
      ${alarm !== undefined && html`<p class="alarm" role="alert">${alarm}</p>`}
      ${parent && html`<div class="posts">${postBeside(t, parent)}</div>`}
      ${
        preview &&
        html`<section class="posts">
          <h2>${t.text('compose.preview')}</h2>
          <div class="main">${previewed(t, preview)}</div>
        </section>`
      }
      ${writingForm(session, '/app/compose', fields(t, page))}
      <p><a href="/app/scheduled">${t.text('compose.scheduled')}</a></p>`,
  };
}

/** A post beside a form. */
export function postBeside(t: Translator, post: ShownStatus): Html {
  return statusPart(t, post, BESIDE);
}

/** A post that is not stored: it leads to its text, since it has no page. */
function previewed(t: Translator, post: ShownStatus): Html {
  const status: StatusPlace['status'] = (other) => (other.id === post.id ? '#text' : BESIDE.status(other));
  return statusPart(t, post, { ...BESIDE, status });
}

function heading(t: Translator, { parent, quoted }: ComposePage): Html | string {
  if (parent) return t.html('compose.reply', { name: nameOf(parent.author) });
  return t.text(quoted ? 'compose.quote' : 'compose.title');
}

function fields(t: Translator, { form, choices, files, quoted }: ComposePage): Html {
  const { key, in_reply_to_id: parentId, quote_id: quotedId, scheduled_at: time } = form;
  const isFurther = time !== '' || form.expires_in !== undefined || form.quote_approval_policy !== '';
  const further = html`${formatField(t, form, choices)}
    <div>${timeField(t, t.text('compose.time'), 'time', form)}</div>
    ${quotesField(t, form, 'default')} ${expiryField(t, form)}`;
  return html`<input type="hidden" name="key" value="${key}" />
    ${parentId !== undefined && html`<input type="hidden" name="in_reply_to_id" value="${parentId}" />`}
    ${quotedId !== undefined && html`<input type="hidden" name="quote_id" value="${quotedId}" />`}
    ${textFields(t, form, choices)} ${quoted && postBeside(t, quoted)}
    <div class="grid">${visibilityField(t, form.visibility, choices)} ${languageField(t, form.language, choices)}</div>
    ${filesFields(t, form, files, choices)}
    ${pollFields(t, form, choices, form.action === 'options' ? MORE_OPTIONS : 0)}
    ${folded(t.text('compose.further'), isFurther, html`<div class="grid">${further}</div>`)}
    <p class="choice">
      <button name="action" value="post">${t.text('compose.submit')}</button>
      <button class="quiet" name="action" value="preview">${t.text('compose.preview')}</button>
    </p>`;
}
