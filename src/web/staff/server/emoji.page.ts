import { bdi, type Html, html, type PageContent, type Translator } from '../../../common/index.js';
import { emojiPath, type NamedPack } from '../../../emoji/index.js';
import type { BrowserSession } from '../../../sign-in/index.js';
import { sessionForm } from '../../parts/forms.part.js';
import { STAFF_PATH } from '../frame/staff-sections.js';
import { askFirst, type CountedPage, pageLinks, type Said, saidPart } from '../parts/staff.part.js';

export const EMOJI_PATH = `${STAFF_PATH}/emoji`;
export const packPath = (pack: string) => `${EMOJI_PATH}/${encodeURIComponent(pack)}`;

/** What the forms of the packs held when they failed. */
export interface PackDraft extends Said {
  readonly name?: string;
  readonly url?: string;
  readonly remoteName?: string;
}

/** The packs of custom emoji: pickers show them as categories. */
export function packsPage(
  t: Translator,
  session: BrowserSession,
  packs: readonly NamedPack[],
  counted: CountedPage,
  { name = '', url = '', remoteName = '', ...said }: PackDraft = {},
): PageContent {
  const title = t.text('staff.emoji');
  const create = html`<h2>${t.text('staff.emoji.new-pack')}</h2>
    <label for="name">${t.text('staff.emoji.pack-name')}</label>
    <input id="name" name="name" required value="${name}" autocomplete="off" />
    <button>${t.text('staff.emoji.create')}</button>`;
  const copy = html`<h2>${t.text('staff.emoji.copy')}</h2>
    <p class="soft">${t.text('staff.emoji.copy.text')}</p>
    <label for="url">${t.text('staff.emoji.copy.url')}</label>
    <input id="url" name="url" type="url" required value="${url}" placeholder="https://other.example" />
    <label for="remote_name">${t.text('staff.emoji.pack-name')}</label>
    <input id="remote_name" name="remote_name" required value="${remoteName}" autocomplete="off" />
    <button>${t.text('staff.emoji.copy.submit')}</button>`;
  const attributes = html`class="card staff-part"`;
  return {
    title,
    main: html`<h1>${title}</h1>
      ${saidPart(said)} ${packs.length === 0 && html`<p class="soft">${t.text('staff.emoji.no-packs')}</p>`}
      <ul class="rows">
        ${packs.map(
          (pack) =>
            html`<li>
              <a href="${packPath(pack.name)}">${bdi(pack.name)}</a>
              <span class="soft">${t.text('staff.emoji.count', { number: pack.files.size })}</span>
            </li>`,
        )}
      </ul>
      ${pageLinks(t, counted, {})} ${sessionForm(session, EMOJI_PATH, create, { attributes })}
      ${sessionForm(session, `${EMOJI_PATH}/download`, copy, { attributes })}`,
  };
}

/** A page of the emoji of a pack. */
export function packPage(
  t: Translator,
  session: BrowserSession,
  pack: NamedPack,
  { page, size }: Pick<CountedPage, 'page' | 'size'>,
  { shortcode = '', ...said }: Said & { readonly shortcode?: string } = {},
): PageContent {
  const path = packPath(pack.name);
  const files = [...pack.files].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const shown = files.slice((page - 1) * size, page * size);
  const upload = html`<h2>${t.text('staff.emoji.upload')}</h2>
    <label for="file">${t.text('staff.emoji.file')}</label>
    <input id="file" name="file" type="file" required accept="image/*" />
    <label for="shortcode">${t.text('staff.emoji.shortcode')}</label>
    <input
      id="shortcode"
      name="shortcode"
      maxlength="64"
      value="${shortcode}"
      autocomplete="off"
      autocapitalize="none"
    />
    <button>${t.text('staff.emoji.upload')}</button>`;
  return {
    title: pack.name,
    main: html`<h1>${bdi(pack.name)}</h1>
      ${saidPart(said)}
      ${sessionForm(session, `${path}/upload`, upload, { attributes: html`class="card staff-part" enctype="multipart/form-data"` })}
      ${files.length === 0 && html`<p class="soft">${t.text('staff.emoji.empty')}</p>`}
      <ul class="rows staff-emoji">
        ${shown.map(([name, file]) => emojiRow(t, session, pack.name, name, file))}
      </ul>
      ${pageLinks(t, { page, size, total: files.length }, {})}
      <div class="staff-acts">
        ${askFirst(t.text('staff.emoji.delete-pack.ask'), { path: `${path}/delete`, label: t.text('staff.emoji.delete-pack') })}
      </div>
      <p><a href="${EMOJI_PATH}">&larr; ${t.text('app.back')}</a></p>`,
  };
}

function emojiRow(t: Translator, session: BrowserSession, pack: string, name: string, file: string): Html {
  const path = packPath(pack);
  const rename = html`<input type="hidden" name="shortcode" value="${name}" />
    <label for="new-${name}">${t.text('staff.emoji.new-name')}</label>
    <input id="new-${name}" name="new_shortcode" required maxlength="64" value="${name}" autocapitalize="none" />
    <button class="quiet">${t.text('staff.emoji.rename')}</button>`;
  return html`<li>
    <span><img src="${emojiPath({ pack, file })}" alt="" loading="lazy" /><code>:${name}:</code></span>
    <div class="staff-acts">
      <details>
        <summary>${t.text('staff.emoji.rename')}</summary>
        ${sessionForm(session, `${path}/rename`, rename, { attributes: html`class="line"` })}
      </details>
      ${askFirst(t.text('staff.emoji.delete.ask'), {
        path: `${path}/remove`,
        label: t.text('act.delete'),
        field: { name: 'shortcode', value: name },
      })}
    </div>
  </li>`;
}
