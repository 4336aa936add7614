import type { AdminUserJson } from '../../../admin/index.js';
import { type Html, html, type Translator } from '../../../common/index.js';
import { actionButton } from '../../parts/forms.part.js';
import { accountPath, askFirst } from './staff.part.js';

/** The tags that restrict an account (spec §4.1.1), in the order of their buttons. */
export const RESTRICTIONS = [
  'media-force-nsfw',
  'media-strip',
  'force-unlisted',
  'sandbox',
  'disable-remote-subscription',
  'disable-any-subscription',
] as const;

export const tagOf = (restriction: (typeof RESTRICTIONS)[number]) => `mrf_tag:${restriction}`;

/** The button that deactivates an account, or activates it again. */
export function activationButton(t: Translator, { id, deactivated }: AdminUserJson): Html {
  const path = (action: string) => `${accountPath(id)}/actions/${action}`;
  return deactivated
    ? actionButton({ path: path('activate'), label: t.text('staff.account.activate'), classes: 'quiet' })
    : askFirst(t.text('staff.account.deactivate.ask'), {
        path: path('deactivate'),
        label: t.text('staff.account.deactivate'),
      });
}

/** Switches for the restrictions of an account. */
export function restrictionButtons(t: Translator, { id, tags }: AdminUserJson): Html {
  const buttons = RESTRICTIONS.map((each) => {
    const isOn = tags.includes(tagOf(each));
    return actionButton({
      path: `${accountPath(id)}/actions/${isOn ? 'untag' : 'tag'}`,
      label: t.text(`staff.restrict.${each}`),
      isOn,
      classes: 'quiet',
      field: { name: 'tag', value: tagOf(each) },
    });
  });
  return html`<p class="choice staff-switches">${buttons}</p>`;
}
