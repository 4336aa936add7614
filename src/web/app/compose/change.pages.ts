import { html, type PageContent, type Translator, unique } from '../../../common/index.js';
import type { PollJson } from '../../../statuses/index.js';
import type { BrowserSession } from '../../../sign-in/index.js';
import { sessionForm } from '../../parts/forms.part.js';
import type { ShownStatus } from '../../parts/shown.js';
import { statusPath } from '../statuses/status-actions.part.js';
import type { ComposeFormBody } from './compose.dto.js';
import { postBeside } from './compose.page.js';
import {
  filesFields,
  formatField,
  type FormChoices,
  type FormFile,
  languageField,
  pollFields,
  quotesField,
  select,
  textFields,
  writingForm,
} from './compose-fields.part.js';

/** What the page of an edit shows. */
export interface EditPage {
  readonly id: string;
  readonly form: ComposeFormBody;
  readonly choices: FormChoices;
  readonly files: readonly FormFile[];
  /** The poll of the post. */
  readonly poll: PollJson | null;
  readonly alarm?: string | undefined;
}

/** The page on which people edit a post of theirs. */
export function editPage(t: Translator, session: BrowserSession, page: EditPage): PageContent {
  const { id, form, choices, files, poll, alarm } = page;
  const title = t.text('compose.edit');
  const changes = (['keep', 'change', 'remove'] as const).map(
    (change) => [change, t.text(`compose.poll.change.${change}`)] as const,
  );
  const change =
    poll === null ? undefined : select(t.text('compose.poll.change'), 'poll_change', form.poll_change, changes);
  const formats = unique([...choices.formats, form.content_type || null]); // that of the post may not be allowed today
  const fields = html`${textFields(t, form, choices)}
    <div class="grid">
      ${languageField(t, form.language, choices)} ${formatField(t, form, { formats })}
      ${quotesField(t, form, 'unchanged')}
    </div>
    ${filesFields(t, form, files, choices)} ${pollFields(t, form, choices, form.action === 'options' ? 2 : 0, change)}
    <p class="choice"><button name="action" value="post">${t.text('compose.edit.submit')}</button></p>`;
  return {
    title,
    main: html`<h1>${title}</h1>
      ${alarm !== undefined && html`<p class="alarm" role="alert">${alarm}</p>`}
      ${writingForm(session, `${statusPath(id)}/edit`, fields)}
      <p><a href="${statusPath(id)}">&larr; ${t.text('compose.cancel')}</a></p>`,
  };
}

/** The page that asks whether to delete a post. */
export function deletePage(t: Translator, session: BrowserSession, post: ShownStatus, alarm?: string): PageContent {
  const title = t.text('compose.delete');
  const buttons = html`<p class="choice">
    <button class="danger" name="action" value="delete">${t.text('act.delete')}</button>
    <button class="quiet" name="action" value="redraft">${t.text('act.redraft')}</button>
  </p>`;
  return {
    title,
    main: html`<h1>${title}</h1>
      ${alarm !== undefined && html`<p class="alarm" role="alert">${alarm}</p>`}
      <div class="posts">${postBeside(t, post)}</div>
      <p>${t.text('compose.delete.hint')}</p>
      ${sessionForm(session, `${statusPath(post.id)}/delete`, buttons)}
      <p><a href="${statusPath(post.id)}">&larr; ${t.text('compose.cancel')}</a></p>`,
  };
}
