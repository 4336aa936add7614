import { DEFAULT_SCOPES, LIST } from '../../../accounts/index.js';
import { type Html, html, type MessageKey, type Translator, unique } from '../../../common/index.js';
import type { AttachmentJson } from '../../../media/index.js';
import type { BrowserSession } from '../../../sign-in/index.js';
import { sessionForm } from '../../parts/forms.part.js';
import { type ComposeFormBody, FILE_FIELDS } from './compose.dto.js';
import type { Language } from './languages.js';

/** What a form offers to choose from, and its limits. */
export interface FormChoices {
  readonly lists: readonly { readonly id: string; readonly title: string }[];
  readonly languages: readonly Language[];
  readonly formats: readonly string[];
  /** Characters. */
  readonly textLength: number;
  readonly fileBytes: number;
  /** The setting `instance.poll_limits`; durations are in seconds. */
  readonly poll: {
    readonly max_options: number;
    readonly max_option_chars: number;
    readonly min_expiration: number;
    readonly max_expiration: number;
  };
}

/** A file that was uploaded before. */
export type FormFile = Pick<AttachmentJson, 'id' | 'type' | 'preview_url'> & { readonly description: string };

/** An option of a choice. */
type Option = readonly [value: string, name: string];

const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400];
const POLL_DURATIONS = [5 * MINUTE, 30 * MINUTE, HOUR, 6 * HOUR, 12 * HOUR, DAY, 3 * DAY, 7 * DAY, 14 * DAY, 30 * DAY];
const LIVES = [6 * HOUR, DAY, 7 * DAY, 30 * DAY, 90 * DAY, 365 * DAY];
const MIN_OPTIONS = 4;
const MEGABYTE = 1_000_000;
const FORMATS: Readonly<Record<string, MessageKey & `compose.format.${string}`>> = {
  'text/plain': 'compose.format.plain',
  'text/markdown': 'compose.format.markdown',
  'text/html': 'compose.format.html',
  'text/bbcode': 'compose.format.bbcode',
};

/** The form of a page on which people write. */
export function writingForm(session: BrowserSession, action: string, content: Html): Html {
  return sessionForm(session, action, content, {
    attributes: html`class="card compose" enctype="multipart/form-data"`,
  });
}

/** The durations that forms offer: within the limits, of which there is always one. */
function durationsOf({ min_expiration: min, max_expiration: max }: FormChoices['poll']): readonly number[] {
  const durations = POLL_DURATIONS.filter((each) => each >= min && each <= max);
  return durations.length > 0 ? durations : [Math.min(Math.max(DAY, min), max)];
}

/** The duration that forms offer and that is nearest to a number of seconds. */
export function nearestDuration(seconds: number, limits: FormChoices['poll']): number {
  return durationsOf(limits).reduce((one, other) =>
    Math.abs(other - seconds) < Math.abs(one - seconds) ? other : one,
  );
}

/** The text, and the content warning in front of it. */
export function textFields(t: Translator, form: ComposeFormBody, { textLength }: FormChoices): Html {
  return html`<label for="text">${t.text('compose.text')}</label>
    ${textArea('text', 'text', form.text, html`rows="8" data-limit="${textLength}" aria-describedby="limit"`)}
    <p class="soft" id="limit">${t.text('compose.limit', { most: textLength })}</p>
    ${warningField(t, form.spoiler_text)}`;
}

/** The content warning. */
export function warningField(t: Translator, warning: string): Html {
  const field = html`<label for="warning" class="hidden">${t.text('compose.warning')}</label>
    <input id="warning" name="spoiler_text" value="${warning}" autocomplete="off" aria-describedby="warning-hint" />
    <p class="soft" id="warning-hint">${t.text('compose.warning.hint')}</p>`;
  return folded(t.text('compose.warning'), warning !== '', field);
}

/** Who can read the post. */
export function visibilityField(
  t: Translator,
  visibility: string,
  { lists = [], isCompact = false }: { readonly lists?: FormChoices['lists']; readonly isCompact?: boolean } = {},
): Html {
  const options: Option[] = [
    ...DEFAULT_SCOPES.map((name): Option => [name, t.text(`compose.visibility.${name}`)]),
    ...lists.map(({ id, title }): Option => [`list:${id}`, t.text('compose.visibility.list-named', { name: title })]),
  ];
  if (LIST.includesName(visibility)) options.push(['list', t.text('compose.visibility.list')]);
  return select(t.text('compose.visibility'), 'visibility', visibility, options, isCompact);
}

/** The language of the post. */
export function languageField(t: Translator, language: string, { languages }: FormChoices): Html {
  const known = languages.map(({ tag, name }): Option => [tag, name]);
  const isKnown = language === '' || languages.some(({ tag }) => tag === language);
  const options: Option[] = [['', t.text('compose.language.default')], ...known];
  return select(
    t.text('compose.language'),
    'language',
    language,
    isKnown ? options : [[language, language], ...options],
  );
}

/** The format of the text. */
export function formatField(t: Translator, form: ComposeFormBody, { formats }: Pick<FormChoices, 'formats'>): Html {
  const options = formats.map((format): Option => [format, formatName(t, format)]);
  return select(t.text('compose.format'), 'content_type', form.content_type, options);
}

/** The name of a content type. */
export function formatName(t: Translator, format: string): string {
  const key = FORMATS[format];
  return key === undefined ? format : t.text(key);
}

/** Who may quote the post; `fallback` names the choice of those who choose nothing. */
export function quotesField(
  t: Translator,
  { quote_approval_policy: chosen }: ComposeFormBody,
  fallback: 'default' | 'unchanged',
): Html {
  const options = (['public', 'followers', 'nobody'] as const).map((name): Option => [
    name,
    t.text(`compose.quotes.${name}`),
  ]);
  return select(t.text('compose.quotes'), 'quote_approval_policy', chosen, [
    ['', t.text(`compose.quotes.${fallback}`)],
    ...options,
  ]);
}

/** When the post is deleted: also a time that the form does not offer otherwise, as a post that is written again has. */
export function expiryField(t: Translator, { expires_in: seconds }: ComposeFormBody): Html {
  const lives = unique(seconds === undefined ? LIVES : [...LIVES, seconds]);
  const options = lives.map((life): Option => [String(life), duration(t, life)]);
  const never: Option = ['', t.text('compose.expires.never')];
  return select(t.text('compose.expires'), 'expires_in', String(seconds ?? ''), [never, ...options]);
}

/** The time of a form, in UTC or in the zone that the script tells. */
export function timeField(
  t: Translator,
  name: string,
  id: string,
  { scheduled_at: time, zone }: Pick<ComposeFormBody, 'scheduled_at' | 'zone'>,
): Html {
  return html`<label for="${id}"
      >${name} ${zone === 0 && html`<span class="utc">${t.text('compose.utc')}</span>`}</label
    >
    <input id="${id}" type="datetime-local" name="scheduled_at" value="${time}" />
    <input type="hidden" name="zone" value="${zone}" />`;
}

/** The files: earlier ones with a picture and their description, fields for new ones, and whether they are sensitive. */
export function filesFields(
  t: Translator,
  form: ComposeFormBody,
  files: readonly FormFile[],
  { fileBytes }: FormChoices,
): Html {
  const free = Math.max(FILE_FIELDS - files.length, 0);
  const [first, ...others] = Array.from({ length: free }, (_, at) => newFile(t, at + 1, files.length + at + 1));
  const hint = html`<p class="soft">${t.text('compose.files.hint', { size: Math.floor(fileBytes / MEGABYTE) })}</p>`;
  const fields = html`${
    files.length > 0 &&
    html`<ul class="sent">
      ${files.map((file, at) => sentFile(t, file, at))}
    </ul>`
  }
  ${first && hint} ${first} ${others.length > 0 && folded(t.text('compose.files.more'), false, html`${others}`)}
  ${tick('sensitive', t.text('compose.files.sensitive'), form.sensitive === true)}`;
  return folded(t.text('compose.files'), files.length > 0, fields);
}

/** The poll. `more` is the number of empty options beyond the usual ones. */
export function pollFields(
  t: Translator,
  form: ComposeFormBody,
  { poll: limits }: FormChoices,
  more: number,
  before?: Html,
): Html {
  const {
    options = [],
    expires_in: seconds = nearestDuration(DAY, limits),
    multiple,
    hide_totals: isHidden,
  } = form.poll ?? {};
  const count = Math.min(Math.max(MIN_OPTIONS, options.length) + more, limits.max_options);
  const inputs = Array.from({ length: Math.max(count, options.length) }, (_, at) =>
    input(t.text('compose.poll.option', { number: at + 1 }), `option-${at + 1}`, 'poll[options][]', options[at] ?? ''),
  );
  const offered = [...new Set([...durationsOf(limits), seconds])].map((each): Option => [
    String(each),
    duration(t, each),
  ]);
  const fields = html`${before} ${inputs}
  ${count < limits.max_options && html`<p><button class="quiet" name="action" value="options">${t.text('compose.poll.more')}</button></p>`}
  ${select(t.text('compose.poll.duration'), 'poll[expires_in]', String(seconds), offered)}
  ${tick('poll[multiple]', t.text('compose.poll.multiple'), multiple === true)}
  ${tick('poll[hide_totals]', t.text('compose.poll.hide'), isHidden === true)}`;
  return folded(t.text('compose.poll'), options.length > 0 || more > 0, fields);
}

/** A part of a form that is folded while it is empty. */
export function folded(title: string, isOpen: boolean, fields: Html): Html {
  return html`<details ${isOpen && html`open`}>
    <summary>${title}</summary>
    ${fields}
  </details>`;
}

/** A choice; the id of its field is its name. A compact one hides its label from the eye. */
export function select(
  label: string,
  name: string,
  chosen: string,
  options: readonly Option[],
  isCompact = false,
): Html {
  return html`<div>
    <label for="${name}" ${isCompact && html`class="hidden"`}>${label}</label>
    <select id="${name}" name="${name}">
      ${options.map(([value, text]) => html`<option value="${value}" ${value === chosen && html`selected`}>${text}</option>`)}
    </select>
  </div>`;
}

/** A field for a long text. */
export function textArea(id: string, name: string, text: string, attributes: Html): Html {
  // A browser drops the first line end behind the tag.
  return html`<textarea id="${id}" name="${name}" dir="auto" ${attributes}>${'\n'}${text}</textarea>`;
}

/** A box that also tells when it is not ticked. */
function tick(name: string, label: string, isOn: boolean): Html {
  return html`<label class="tick"
    ><input type="hidden" name="${name}" value="0" /><input
      type="checkbox"
      name="${name}"
      value="1"
      ${isOn && html`checked`}
    />${label}</label
  >`;
}

function input(label: string, id: string, name: string, value: string): Html {
  return html`<label for="${id}">${label}</label>
    <input id="${id}" name="${name}" value="${value}" autocomplete="off" dir="auto" />`;
}

function sentFile(t: Translator, { id, type, preview_url: preview, description }: FormFile, at: number): Html {
  const field = `media[${at}]`;
  const number = at + 1;
  return html`<li>
    ${type === 'image' && preview !== null ? html`<img src="${preview}" alt="" width="96" height="96" />` : html`<span class="soft">${type}</span>`}
    <div>
      <input type="hidden" name="${field}[id]" value="${id}" />
      <label for="described-${number}">${t.text('compose.files.description-of', { number })}</label>
      ${textArea(`described-${number}`, `${field}[description]`, description, html`rows="2"`)}
      <label class="tick"
        ><input type="checkbox" name="${field}[leave_out]" value="1" />${t.text('compose.files.leave-out')}</label
      >
    </div>
  </li>`;
}

function newFile(t: Translator, field: number, number: number): Html {
  return html`<div class="grid">
    <div>
      <label for="file_${field}">${t.text('compose.files.number', { number })}</label>
      <input id="file_${field}" type="file" name="file_${field}" accept="image/*,video/*,audio/*" />
    </div>
    <div>
      <label for="description_${field}">${t.text('compose.files.description-of', { number })}</label>
      ${textArea(`description_${field}`, `description_${field}`, '', html`rows="2"`)}
    </div>
  </div>`;
}

function duration(t: Translator, seconds: number): string {
  if (seconds % DAY === 0 && seconds > 0) return t.text('compose.days', { count: seconds / DAY });
  if (seconds % HOUR === 0 && seconds > 0) return t.text('compose.hours', { count: seconds / HOUR });
  return t.text('compose.minutes', { count: Math.round(seconds / MINUTE) });
}
