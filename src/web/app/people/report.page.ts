import { REPORT_CATEGORIES, type ReportCategory } from '../../../admin/index.js';
import { bdi, type Html, html, type PageContent, type Translator } from '../../../common/index.js';
import type { RuleRow } from '../../../instance/index.js';
import type { BrowserSession } from '../../../sign-in/index.js';
import { tickField } from '../../parts/choices.part.js';
import { nameOf } from '../../parts/emoji.part.js';
import { sessionForm } from '../../parts/forms.part.js';
import { personPath } from '../../parts/listed-people.part.js';
import { excerpt, type ShownStatus } from '../../parts/shown.js';
import type { ShownMember } from './app-people.js';

const EXCERPT_LENGTH = 160;

/** What a report is made of so far. */
export interface ReportDraft {
  readonly statusIds: readonly string[];
  readonly category: ReportCategory;
  readonly ruleIds: readonly string[];
  readonly comment: string;
  readonly forward: boolean;
}

/** The choices of a report. */
export interface ReportChoices {
  readonly posts: readonly ShownStatus[];
  readonly rules: readonly RuleRow[];
}

/** The page that reports an account to the staff. */
export function reportPage(
  t: Translator,
  session: BrowserSession,
  { profile: { person }, domain }: ShownMember,
  { posts, rules }: ReportChoices,
  draft: ReportDraft,
  alarm?: string,
): PageContent {
  const title = t.text('people.report.title', { name: person.name });
  const content = html`${categories(t, draft)} ${broken(t, rules, draft)} ${reported(t, posts, draft)}
    <label for="comment">${t.text('people.report.comment')}</label>
    <textarea id="comment" name="comment" rows="4">${draft.comment}</textarea>
    ${domain !== null && tickField('forward', t.html('people.report.forward', { server: bdi(domain) }), draft.forward)}
    <button>${t.text('people.report.submit')}</button>`;
  return {
    title,
    main: html`<div class="narrow">
      <h1>${t.html('people.report.title', { name: nameOf(person) })}</h1>
      ${alarm !== undefined && html`<p class="alarm" role="alert">${alarm}</p>`}
      <p>${t.text('people.report.lead')}</p>
      ${sessionForm(session, `${personPath(person.id)}/report`, content)}
      <p><a href="${personPath(person.id)}">&larr; ${nameOf(person)}</a></p>
    </div>`,
  };
}

/** The page after a report. */
export function reportedPage(t: Translator, { profile: { person } }: ShownMember): PageContent {
  const title = t.text('people.report.sent');
  return {
    title,
    main: html`<div class="narrow">
      <h1>${title}</h1>
      <p class="lead">${t.text('people.report.sent.text')}</p>
      <p><a href="${personPath(person.id)}">&larr; ${nameOf(person)}</a></p>
    </div>`,
  };
}

function categories(t: Translator, draft: ReportDraft): Html {
  const options = REPORT_CATEGORIES.map(
    (category) =>
      html`<label class="tick"
        ><input
          type="radio"
          name="category"
          value="${category}"
          ${category === draft.category && html`checked`}
        />${t.text(`people.report.${category}`)}</label
      >`,
  );
  return html`<fieldset>
    <legend>${t.text('people.report.category')}</legend>
    ${options}
  </fieldset>`;
}

function broken(t: Translator, rules: readonly RuleRow[], { ruleIds }: ReportDraft): Html | undefined {
  if (rules.length === 0) return undefined;
  return html`<fieldset>
    <legend>${t.text('people.report.rules')}</legend>
    ${rules.map(({ id, text }) => box('rule_ids', id, bdi(text), ruleIds.includes(id)))}
  </fieldset>`;
}

function reported(t: Translator, posts: readonly ShownStatus[], { statusIds }: ReportDraft): Html | undefined {
  if (posts.length === 0) return undefined;
  return html`<fieldset>
    <legend>${t.text('people.report.posts')}</legend>
    ${posts.map((post) => box('status_ids', post.id, summary(t, post), statusIds.includes(post.id)))}
  </fieldset>`;
}

function summary(t: Translator, { warning, text, createdAt, files }: ShownStatus): Html {
  const words = excerpt(warning || text, EXCERPT_LENGTH);
  const file = files.length > 0 && t.text('people.report.files');
  return html`${bdi(words || '…')} <span class="soft">${t.moment(createdAt)} ${file && html`&middot; ${file}`}</span>`;
}

function box(name: string, value: string, label: Html, isOn: boolean): Html {
  return html`<label class="tick"
    ><input type="checkbox" name="${name}" value="${value}" ${isOn && html`checked`} />${label}</label
  >`;
}
