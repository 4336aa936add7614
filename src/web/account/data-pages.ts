import { bdi, type Html, html, type PageContent, type Translator } from '../../common/index.js';
import type { BrowserSession } from '../../sign-in/index.js';
import type { BackupJson } from '../../portability/index.js';
import { choice, passwordField, pathOf, type Said, sectionPage, textField } from './account.pages.js';
import { sessionForm } from '../parts/forms.part.js';

/** Archives, and lists of accounts from other servers. */
export function dataPage(
  t: Translator,
  session: BrowserSession,
  archives: readonly BackupJson[],
  said: Said = {},
): PageContent {
  const content = html`<h2>${t.text('account.data.archive')}</h2>
    <p>${t.text('account.data.archive.text')}</p>
    <ul>
      ${archives.map((archive) => html`<li>${archiveLine(t, archive)}</li>`)}
    </ul>
    ${sessionForm(session, pathOf('data'), choice('archive', t.text('account.data.archive.request')))}
    <h2>${t.text('account.data.import')}</h2>
    <p>${t.text('account.data.import.text')}</p>
    ${sessionForm(session, pathOf('data'), importFields(t), { attributes: html`enctype="multipart/form-data"` })}`;
  return sectionPage(t, 'data', said, content);
}

function archiveLine(t: Translator, { processed, inserted_at, url }: BackupJson): Html | string {
  const day = t.day(inserted_at);
  if (!processed) return t.text('account.data.archive.waiting', { day });
  return html`<a href="${url}">${t.text('account.data.archive.ready', { day })}</a>`;
}

function importFields(t: Translator): Html {
  const kinds = ['follow', 'block', 'mute'] as const;
  return html`<label for="kind">${t.text('account.data.import.kind')}</label>
    <select id="kind" name="kind">
      ${kinds.map((kind) => html`<option value="${kind}">${t.text(`account.data.import.${kind}`)}</option>`)}
    </select>
    <label for="list">${t.text('account.data.import.file')}</label>
    <input id="list" name="list" type="file" required accept=".csv,text/csv,text/plain" />
    ${choice('import', t.text('account.data.import.submit'))}`;
}

/** Aliases, and the move to another account. */
export function movePage(
  t: Translator,
  session: BrowserSession,
  aliases: readonly string[],
  said: Said = {},
): PageContent {
  const items = aliases.map((alias) => {
    const remove = html`<input type="hidden" name="alias" value="${alias}" />
      ${choice('remove', t.text('account.move.remove'), 'quiet')}`;
    return html`<li>${bdi(alias)} ${sessionForm(session, pathOf('move'), remove)}</li>`;
  });
  const handle = html`placeholder="name@server.example" autocapitalize="none"`;
  const content = html`<h2>${t.text('account.move.aliases')}</h2>
    <p>${t.text('account.move.aliases.text')}</p>
    <ul class="rows">
      ${items}
    </ul>
    ${sessionForm(
      session,
      pathOf('move'),
      html`${textField(t, 'alias', 'account.move.alias', handle)} ${choice('add', t.text('account.move.add'))}`,
    )}
    <h2>${t.text('account.move.away')}</h2>
    <p>${t.text('account.move.away.text')}</p>
    ${sessionForm(
      session,
      pathOf('move'),
      html`${textField(t, 'target_account', 'account.move.target', handle)} ${passwordField(t)}
      ${choice('move', t.text('account.move.submit'))}`,
    )}`;
  return sectionPage(t, 'move', said, content);
}
