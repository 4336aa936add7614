import { html, type Html, type Translator } from '../../common/index.js';
import { type NotificationPolicy, POLICY_ACTIONS, POLICY_FIELDS } from '../../notifications/index.js';
import { selectField } from './choices.part.js';

/** The fields of a notification policy: what happens with the notifications of which people. */
export function policyFields(t: Translator, policy: NotificationPolicy): Html {
  const actions = POLICY_ACTIONS.map((value) => ({ value, label: t.text(`settings.policy.${value}`) }));
  return html`<p class="soft">${t.text('settings.policy.text')}</p>
    ${POLICY_FIELDS.map((field) =>
      selectField(`policy[${field}]`, t.text(`settings.policy.${field}`), actions, policy[field], field),
    )}`;
}
