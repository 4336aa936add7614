import { type Html, html, type PageContent, type Translator } from '../../../common/index.js';
import type { BrowserSession } from '../../../sign-in/index.js';
import { sessionForm } from '../../parts/forms.part.js';
import { STAFF_PATH } from '../frame/staff-sections.js';
import { askFirst, lines, type Said, saidPart } from '../parts/staff.part.js';

export const RULES_PATH = `${STAFF_PATH}/rules`;

/** A rule as its form has it. */
export interface RuleFields {
  readonly text: string;
  readonly hint: string;
  readonly priority: number;
}

/** A form that failed: that of a rule, or of a new one. */
export interface RuleDraft extends Said {
  readonly id?: string;
  readonly typed?: RuleFields;
}

/** The rules of the server, each with its form. */
export function staffRulesPage(
  t: Translator,
  session: BrowserSession,
  rules: readonly (RuleFields & { readonly id: string })[],
  isChangeable: boolean,
  { id, typed, ...said }: RuleDraft = {},
): PageContent {
  const title = t.text('staff.rules');
  const nothing = { text: '', hint: '', priority: 0 };
  return {
    title,
    main: html`<h1>${title}</h1>
      ${saidPart(said)} ${rules.length === 0 && html`<p class="soft">${t.text('staff.rules.none')}</p>`}
      ${rules.map((rule) => {
        const isDraft = id === rule.id;
        const path = `${RULES_PATH}/${rule.id}`;
        const fields = ruleForm(t, session, path, rule.id, (isDraft ? typed : undefined) ?? rule);
        return html`<section class="card staff-part">
          <p><b>${lines(rule.text)}</b></p>
          ${rule.hint !== '' && html`<p class="soft">${lines(rule.hint)}</p>`}
          ${
            isChangeable &&
            html`<details ${isDraft && html`open`}>
                <summary>${t.text('act.edit')}</summary>
                ${fields}
              </details>
              <div class="staff-acts">
                ${askFirst(t.text('staff.rules.delete.ask'), { path: `${path}/delete`, label: t.text('act.delete') })}
              </div>`
          }
        </section>`;
      })}
      ${
        isChangeable &&
        html`<h2>${t.text('staff.rules.new')}</h2>
          ${ruleForm(t, session, RULES_PATH, 'new', (id === undefined ? typed : undefined) ?? nothing)}`
      }`,
  };
}

function ruleForm(t: Translator, session: BrowserSession, path: string, key: string, rule: RuleFields): Html {
  const fields = html`<label for="text-${key}">${t.text('staff.rules.text')}</label>
    <textarea id="text-${key}" name="text" rows="2" required maxlength="5000">${rule.text}</textarea>
    <label for="hint-${key}">${t.text('staff.rules.hint')}</label>
    <textarea id="hint-${key}" name="hint" rows="2" maxlength="5000">${rule.hint}</textarea>
    <label for="priority-${key}">${t.text('staff.rules.priority')}</label>
    <input id="priority-${key}" name="priority" type="number" value="${rule.priority}" />
    <button>${t.text('staff.save')}</button>`;
  return sessionForm(session, path, fields);
}
