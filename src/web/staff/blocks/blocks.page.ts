import { bdi, type Html, html, MAX_LISTED, type PageContent, type Translator } from '../../../common/index.js';
import type { BlockPreview, HostBlock } from '../../../federation/index.js';
import type { BrowserSession } from '../../../sign-in/index.js';
import { sessionForm } from '../../parts/forms.part.js';
import { STAFF_PATH } from '../frame/staff-sections.js';
import { askFirst, factList, listedNumber, type Said, saidPart, withQuery } from '../parts/staff.part.js';
import { type BlockFields, SEVERITIES } from './blocks.dto.js';

export const BLOCKS_PATH = `${STAFF_PATH}/blocks`;
const NOTHING_TYPED: BlockFields = { host: '', severity: 'suspend', media: false, reports: false, reason: '' };

/** The blocked and limited servers, and the form of a new block. */
export function blocksPage(
  t: Translator,
  { blocks, areEnforced }: { readonly blocks: readonly HostBlock[]; readonly areEnforced: boolean },
  isChangeable: boolean,
  { typed = NOTHING_TYPED, ...said }: Said & { readonly typed?: BlockFields } = {},
): PageContent {
  const title = t.text('staff.blocks');
  return {
    title,
    main: html`<h1>${title}</h1>
      ${saidPart(said)} ${!areEnforced && html`<p class="alarm">${t.text('staff.blocks.unenforced')}</p>`}
      ${isChangeable && newBlock(t, typed)}
      <p class="choice">
        ${isChangeable && html`<a class="button quiet" href="${BLOCKS_PATH}/import">${t.text('staff.blocks.import')}</a>`}
        <a class="button quiet" href="${BLOCKS_PATH}/export" download>${t.text('staff.blocks.export')}</a>
      </p>
      ${blocks.length === 0 && html`<p class="soft">${t.text('staff.blocks.empty')}</p>`}
      ${blockRows(t, blocks, isChangeable)}`,
  };
}

function blockRows(t: Translator, blocks: readonly HostBlock[], isChangeable: boolean): Html {
  return html`<ul class="rows">
    ${blocks.map(
      (block) =>
        html`<li>
          <span>${blockText(t, block)}</span>
          ${
            isChangeable &&
            askFirst(t.text('staff.blocks.remove.ask'), {
              path: `${BLOCKS_PATH}/remove`,
              label: t.text('staff.blocks.remove'),
              field: { name: 'host', value: block.host },
            })
          }
        </li>`,
    )}
  </ul>`;
}

function blockText(t: Translator, { host, lists, reason }: HostBlock): Html {
  const names = lists.map((list) => t.text(`staff.blocks.list.${list}`)).join(', ');
  return html`<b>${bdi(host)}</b> <span class="soft">${names}</span>${reason !== '' && html`<br />${bdi(reason)}`}`;
}

/** A form that leads to the preview. It changes nothing, so it needs no token. */
function newBlock(t: Translator, { host, severity, media, reports, reason }: BlockFields): Html {
  return html`<form method="get" action="${BLOCKS_PATH}/preview" class="card staff-part">
    <h2>${t.text('staff.blocks.new')}</h2>
    <label for="host">${t.text('staff.blocks.host')}</label>
    <input
      id="host"
      name="host"
      required
      maxlength="300"
      value="${host}"
      placeholder="loud.example"
      autocapitalize="none"
    />
    <label for="severity">${t.text('staff.blocks.severity')}</label>
    <select id="severity" name="severity">
      ${SEVERITIES.map(
        (each) =>
          html`<option value="${each}" ${each === severity && html`selected`}>
            ${t.text(`staff.blocks.${each}`)}
          </option>`,
      )}
    </select>
    <label class="tick"
      ><input
        type="checkbox"
        name="media"
        value="true"
        ${media && html`checked`}
      />${t.text('staff.blocks.media')}</label
    >
    <label class="tick"
      ><input
        type="checkbox"
        name="reports"
        value="true"
        ${reports && html`checked`}
      />${t.text('staff.blocks.reports')}</label
    >
    <label for="reason">${t.text('staff.blocks.reason')}</label>
    <input id="reason" name="reason" maxlength="2000" value="${reason}" />
    <button>${t.text('staff.blocks.preview')}</button>
  </form>`;
}

/** The effect of a block, and the button that makes it. */
export function blockPreviewPage(
  t: Translator,
  session: BrowserSession,
  fields: BlockFields,
  block: HostBlock,
  preview: BlockPreview,
): PageContent {
  const title = t.text('staff.blocks.preview.title', { host: block.host });
  const { hosts, accounts, posts, followed, followers, deliveries, people } = preview;
  const numberOf = (number: number) => listedNumber(t, number, Math.max(accounts, number) >= MAX_LISTED);
  const hidden = html`<input type="hidden" name="host" value="${block.host}" />
    <input type="hidden" name="severity" value="${fields.severity}" />
    <input type="hidden" name="media" value="${String(fields.media)}" />
    <input type="hidden" name="reports" value="${String(fields.reports)}" />
    <input type="hidden" name="reason" value="${fields.reason}" />
    <button class="danger">${t.text('staff.blocks.add')}</button>`;
  return {
    title,
    main: html`<h1>${t.html('staff.blocks.preview.title', { host: bdi(block.host) })}</h1>
      <p>${blockText(t, block)}</p>
      ${
        hosts.length === 0
          ? html`<p class="soft">${t.text('staff.blocks.unknown')}</p>`
          : factList([
              [t.text('staff.blocks.hosts'), hosts.join(', ')],
              [t.text('staff.blocks.accounts'), listedNumber(t, accounts)],
              [t.text('staff.blocks.posts'), numberOf(posts)],
              [t.text('staff.blocks.followed'), numberOf(followed)],
              [t.text('staff.blocks.followers'), numberOf(followers)],
              [t.text('staff.blocks.people'), people.map((name) => `@${name}`).join(', ')],
              [t.text('staff.blocks.deliveries'), listedNumber(t, deliveries)],
            ])
      }
      ${sessionForm(session, BLOCKS_PATH, hidden)}
      <p>
        <a href="${withQuery(`${STAFF_PATH}/posts`, { server: block.host })}">${t.text('staff.blocks.their-posts')}</a>
      </p>
      ${
        accounts > 0 &&
        askFirst(t.text('staff.blocks.delete-accounts.ask'), {
          path: `${BLOCKS_PATH}/delete_accounts`,
          label: t.text('staff.blocks.delete-accounts'),
          field: { name: 'host', value: block.host },
        })
      }
      <p><a href="${BLOCKS_PATH}">&larr; ${t.text('app.back')}</a></p>`,
  };
}

/** A block list that is read but not stored yet. */
export interface ListPreview {
  readonly text: string;
  readonly missing: readonly HostBlock[];
}

/** The import of a block list: first its text, then what it adds. */
export function importPage(
  t: Translator,
  session: BrowserSession,
  { preview, typed = '', ...said }: Said & { readonly preview?: ListPreview; readonly typed?: string } = {},
): PageContent {
  const title = t.text('staff.blocks.import');
  const back = html`<p><a href="${BLOCKS_PATH}">&larr; ${t.text('app.back')}</a></p>`;
  const content = preview ? importPreview(t, session, preview) : importForm(t, session, typed);
  return {
    title,
    main: html`<h1>${title}</h1>
      ${saidPart(said)} ${content} ${back}`,
  };
}

function importForm(t: Translator, session: BrowserSession, typed: string): Html {
  const pasted = html`<label for="list">${t.text('staff.blocks.import.paste')}</label>
    <textarea id="list" name="list" rows="10" required spellcheck="false">${typed}</textarea>
    <button>${t.text('staff.blocks.import.preview')}</button>`;
  const file = html`<label for="file">${t.text('staff.blocks.import.file')}</label>
    <input id="file" name="list" type="file" required accept=".csv,.txt,text/csv,text/plain" />
    <button>${t.text('staff.blocks.import.preview')}</button>`;
  return html`<p>${t.text('staff.blocks.import.text')}</p>
    ${sessionForm(session, `${BLOCKS_PATH}/import`, file, { attributes: html`enctype="multipart/form-data"` })}
    ${sessionForm(session, `${BLOCKS_PATH}/import`, pasted)}`;
}

function importPreview(t: Translator, session: BrowserSession, { text, missing }: ListPreview): Html {
  if (missing.length === 0) return html`<p class="notice">${t.text('staff.blocks.import.nothing')}</p>`;
  const fields = html`<input type="hidden" name="list" value="${text}" />
    <input type="hidden" name="confirmed" value="true" />
    <button class="danger">${t.text('staff.blocks.import.confirm')}</button>`;
  return html`<p>${t.text('staff.blocks.import.adds', { number: missing.length })}</p>
    ${blockRows(t, missing, false)} ${sessionForm(session, `${BLOCKS_PATH}/import`, fields)}`;
}
