import { type Html, html, type PageContent, type Translator } from '../../../common/index.js';
import type { BrowserSession } from '../../../sign-in/index.js';
import { actionButton, sessionForm } from '../../parts/forms.part.js';
import { excerpt, type ShownStatus } from '../../parts/shown.js';
import { statusPart } from '../../parts/status.part.js';
import { actionPath, IN_APP, statusPath } from './status-actions.part.js';

const TITLE_LENGTH = 60;

/** The parts of the posts around a post. */
export interface ThreadParts {
  readonly before: readonly Html[];
  readonly after: readonly Html[];
}

/** The page of a post: its thread, and everything that the signed-in person can do with it. */
export function threadPage(
  t: Translator,
  session: BrowserSession,
  post: ShownStatus,
  { before, after }: ThreadParts,
): PageContent {
  const title = `${post.author.name}: ${excerpt(post.warning || post.text, TITLE_LENGTH)}`;
  return {
    title,
    main: html`<h1 class="hidden">${t.text('app.thread')}</h1>
      ${before.length > 0 && html`<div class="posts thread">${before}</div>`}
      <div class="posts"><div class="main">${statusPart(t, post, IN_APP)}</div></div>
      ${choices(t, session, post)} ${more(t, session, post)}
      ${
        after.length > 0 &&
        html`<h2>${t.text('post.answers')}</h2>
          <div class="posts thread">${after}</div>`
      }`,
  };
}

/** The form of a vote with several choices. */
function choices(t: Translator, session: BrowserSession, post: ShownStatus): Html | undefined {
  const { poll } = post;
  if (!poll?.multiple || poll.expired || poll.voted !== false) return undefined;
  const boxes = poll.options.map(
    ({ title }, at) => html`<label class="tick"><input type="checkbox" name="choices" value="${at}" />${title}</label>`,
  );
  const fields = html`${boxes}<button>${t.text('act.vote')}</button>`;
  return sessionForm(session, `${actionPath(post, 'vote')}&poll=${poll.id}`, fields, { returnTo: statusPath(post.id) });
}

function more(t: Translator, session: BrowserSession, post: ShownStatus): Html {
  const { id, state } = post;
  const isOwn = post.author.id === session.accountId;
  const mute = state.isThreadMuted ? 'unmute-thread' : 'mute-thread';
  const pin = state.isPinned ? 'unpin' : 'pin';
  const react = html`<label for="emoji">${t.text('act.emoji')}</label>
    <input id="emoji" name="emoji" required maxlength="100" autocomplete="off" />
    <button class="quiet">${t.text('act.react.submit')}</button>`;
  return html`<section class="more">
    ${sessionForm(session, actionPath(post, 'react'), react, { returnTo: statusPath(id), attributes: html`class="line"` })}
    <p class="choice">
      <a class="button quiet" href="/app/compose?quote_id=${id}">${t.text('act.quote')}</a>
      ${isOwn && html`<a class="button quiet" href="/app/posts/${id}/edit">${t.text('act.edit')}</a>`}
      ${isOwn && html`<a class="button quiet" href="/app/posts/${id}/delete">${t.text('act.delete')}</a>`}
      ${isOwn && actionButton({ path: actionPath(post, pin), label: t.text(`act.${pin}`), classes: 'quiet' })}
      ${actionButton({ path: actionPath(post, mute), label: t.text(`act.${mute}`), classes: 'quiet' })}
      ${!isOwn && html`<a class="button quiet" href="/app/people/${post.author.id}/report?status_id=${id}">${t.text('act.report')}</a>`}
      <a class="button quiet" href="${post.url}">${t.text('act.public-page')}</a>
    </p>
  </section>`;
}
