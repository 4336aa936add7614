import { type Html, html, type MessageKey, type Translator } from '../../../common/index.js';
import { actionButton } from '../../parts/forms.part.js';
import type { ShownStatus } from '../../parts/shown.js';
import { STAFF_PATH } from '../frame/staff-sections.js';
import { askFirst } from './staff.part.js';

/** The page of a post for the staff. */
export const staffStatusPath = (id: string) => `${STAFF_PATH}/posts/${id}`;

/** The visibilities that the staff can choose; posts with another one do not change it. */
const VISIBILITIES = ['public', 'unlisted', 'private'] as const;

/** What the staff can do with a post as it is now. */
export function statusActions(t: Translator, post: ShownStatus): Html {
  const { id, isSensitive, visibility } = post;
  const button = (label: MessageKey & `staff.post.${string}`, name: string, value: string) =>
    actionButton({
      path: `${staffStatusPath(id)}/change`,
      label: t.text(label as 'staff.post.hide-media'),
      classes: 'quiet',
      field: { name, value },
    });
  const others = VISIBILITIES.filter((each) => each !== visibility);
  return html`<div class="staff-acts">
    ${isSensitive ? button('staff.post.show-media', 'sensitive', 'false') : button('staff.post.hide-media', 'sensitive', 'true')}
    ${others.length < VISIBILITIES.length && others.map((each) => button(`staff.post.make-${each}`, 'visibility', each))}
    ${askFirst(t.text('staff.post.delete.ask'), { path: `${staffStatusPath(id)}/delete`, label: t.text('staff.post.delete') })}
  </div>`;
}
