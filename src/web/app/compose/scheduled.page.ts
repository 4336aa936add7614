import { bdi, type Html, html, type PageContent, type Translator } from '../../../common/index.js';
import type { ScheduledStatusJson } from '../../../statuses/index.js';
import type { BrowserSession } from '../../../sign-in/index.js';
import { actionButton, sessionForm } from '../../parts/forms.part.js';
import { excerpt } from '../../parts/shown.js';
import { olderLink } from '../../parts/status.part.js';
import type { TimeBody } from './compose.dto.js';
import { timeField } from './compose-fields.part.js';

export const SCHEDULED_PATH = '/app/scheduled';
const WORDS_LENGTH = 300;

/** Scheduled posts, and the form that failed. */
export interface ScheduledPage {
  readonly posts: readonly ScheduledStatusJson[];
  /** The cursor of the next page; undefined on the last one. */
  readonly next: string | undefined;
  readonly now: Date;
  /** The time that was refused for a post. */
  readonly refused?: { readonly id: string; readonly form: TimeBody; readonly alarm: string };
}

/** The page of the person's scheduled posts. */
export function scheduledPage(t: Translator, session: BrowserSession, page: ScheduledPage): PageContent {
  const { posts, next, refused } = page;
  const title = t.text('compose.scheduled');
  return {
    title,
    main: html`<h1>${title}</h1>
      ${refused && html`<p class="alarm" role="alert">${refused.alarm}</p>`}
      ${posts.length === 0 && html`<p class="soft">${t.text('compose.scheduled.empty')}</p>`}
      <div class="posts">${posts.map((post) => scheduled(t, session, post, page))}</div>
      ${olderLink(t, next)}
      <p><a class="button quiet" href="/app/compose">${t.text('compose.title')}</a></p>`,
  };
}

function scheduled(
  t: Translator,
  session: BrowserSession,
  post: ScheduledStatusJson,
  { now, refused }: ScheduledPage,
): Html {
  const { id, scheduled_at: at, params, media_attachments: files } = post;
  const words = excerpt(params.spoiler_text || params.text, WORDS_LENGTH);
  const form = refused?.id === id ? refused.form : { scheduled_at: at.slice(0, 16), zone: 0 };
  const move = html`${timeField(t, t.text('compose.scheduled.time'), `time-${id}`, form)}
    <button class="quiet">${t.text('compose.scheduled.move')}</button>
    ${actionButton({ path: `${SCHEDULED_PATH}/${id}/delete`, label: t.text('act.delete'), classes: 'danger' })}`;
  return html`<article class="post">
    <h2>${t.html('compose.scheduled.at', { time: html`<time datetime="${at}">${t.moment(at)}</time>` })}</h2>
    ${new Date(at) < now && html`<p class="alarm">${t.text('compose.scheduled.late')}</p>`}
    ${words !== '' && html`<p>${bdi(words)}</p>`}
    ${files.length > 0 && html`<p class="soft">${t.text('compose.scheduled.files', { count: files.length })}</p>`}
    ${sessionForm(session, `${SCHEDULED_PATH}/${id}`, move, { attributes: html`class="line"` })}
  </article>`;
}
