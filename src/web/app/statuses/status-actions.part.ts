import { type Html, html, type MessageKey, type Translator } from '../../../common/index.js';
import { actionButton } from '../../parts/forms.part.js';
import type { ShownReaction, ShownStatus } from '../../parts/shown.js';
import type { StatusPlace } from '../../parts/status.part.js';
import type { StatusAction } from './status-pages.controller.js';

/** The path of a page of the signed-in person. */
export const statusPath = (id: string) => `/app/posts/${id}`;

/** The path that does something with a post, and returns to its place on the page. */
export function actionPath({ id, cursor }: Pick<ShownStatus, 'id' | 'cursor'>, action: StatusAction): string {
  return `${statusPath(id)}/actions/${action}?at=${cursor}`;
}

/** Pages of signed-in people: they stay on this server, and each post has its buttons. */
export const IN_APP: StatusPlace = {
  person: ({ id }) => `/app/people/${id}`,
  status: ({ id }) => statusPath(id),
  actions: statusActions,
  vote: (post) => `${actionPath(post, 'vote')}&poll=${post.poll?.id ?? ''}`,
};

/** Visibilities whose posts others may boost. */
const BOOSTABLE = ['public', 'unlisted', 'local'];

function statusActions(t: Translator, post: ShownStatus): Html {
  const { counts, state } = post;
  return html`${post.reactions.length > 0 && html`<p class="reactions">${post.reactions.map((each) => reaction(t, post, each))}</p>`}
    <p class="actions">
      <a
        href="/app/compose?in_reply_to_id=${post.id}"
        aria-label="${label(t, 'act.reply', counts.replies)}"
        title="${t.text('act.reply')}"
        >&larrhk; ${number(t, counts.replies)}</a
      >
      ${
        BOOSTABLE.includes(post.visibility) &&
        toggle(t, post, {
          on: 'reblog',
          off: 'unreblog',
          isOn: state.isReblogged,
          sign: '⟳',
          key: 'act.boost',
          count: counts.reblogs,
        })
      }
      ${toggle(t, post, { on: 'favourite', off: 'unfavourite', isOn: state.isFavourited, sign: '★', key: 'act.favourite', count: counts.favourites })}
      ${toggle(t, post, { on: 'bookmark', off: 'unbookmark', isOn: state.isBookmarked, sign: '⚑', key: 'act.bookmark', count: 0 })}
      <a href="${statusPath(post.id)}" aria-label="${t.text('act.more')}" title="${t.text('act.more')}">&ctdot;</a>
    </p>`;
}

interface Toggle {
  readonly on: StatusAction;
  readonly off: StatusAction;
  readonly isOn: boolean;
  readonly sign: string;
  readonly key: MessageKey & `act.${string}`;
  readonly count: number;
}

function toggle(t: Translator, post: ShownStatus, { on, off, isOn, sign, key, count }: Toggle): Html {
  return actionButton({
    path: actionPath(post, isOn ? off : on),
    label: html`${sign} ${number(t, count)}`,
    name: label(t, key, count),
    isOn,
  });
}

function reaction(t: Translator, post: ShownStatus, { name, count, picture, isOwn }: ShownReaction): Html {
  const shown = picture === undefined ? name : html`<img class="emoji" src="${picture}" alt="" loading="lazy" />`;
  return actionButton({
    path: actionPath(post, isOwn ? 'unreact' : 'react'),
    label: html`${shown} ${t.number(count)}`,
    name: `${t.text('act.react', { name })}: ${t.number(count)}`,
    isOn: isOwn,
    field: { name: 'emoji', value: name },
  });
}

function number(t: Translator, count: number): string {
  return count === 0 ? '' : t.number(count);
}

function label(t: Translator, key: MessageKey & `act.${string}`, count: number): string {
  const name = t.text(key as 'act.reply');
  return count === 0 ? name : `${name}: ${t.number(count)}`;
}
