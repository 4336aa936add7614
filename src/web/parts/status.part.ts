import { bdi, type Html, html, type Translator } from '../../common/index.js';
import { nameOf, pictured, picturedText } from './emoji.part.js';
import type { ShownFile, ShownPerson, ShownStatus } from './shown.js';
import { pollPart } from './poll.part.js';

/** The weight limit of a list: with the frame and the stylesheet a page stays below 50 kB (without pictures). */
export const LIST_BYTES = 28_000;

/** Some posts, newest first. */
export interface StatusPage {
  readonly posts: readonly ShownStatus[];
  /** The `max_id` of the next page; undefined on the last one. */
  readonly next: string | undefined;
}

/** Where a kind of page leads to from its posts, and what its readers may do with them. */
export interface StatusPlace {
  person(person: ShownPerson): string;
  status(post: Pick<ShownStatus, 'id' | 'url'>): string;
  /** The buttons below a post. */
  actions?(t: Translator, post: ShownStatus): Html;
  /** The path of a vote for an option of a post's poll. */
  vote?(post: ShownStatus): string;
}

/** Pages for visitors: they lead to public pages, here and elsewhere. */
export const FOR_VISITORS: StatusPlace = { person: ({ url }) => url, status: ({ url }) => url };

/** A list of posts with a link to older ones; posts beyond the weight limit are on the next page. */
export function statusList(t: Translator, { posts, next }: StatusPage): Html {
  if (posts.length === 0) return html`<p class="soft">${t.text('posts.empty')}</p>`;
  const shown = statusParts(t, posts, LIST_BYTES, 1);
  const older = shown.length < posts.length ? posts[shown.length - 1]?.cursor : next;
  return html`<div class="posts">${shown}</div>
    ${olderLink(t, older)}`;
}

/** The link to the next page of a list. */
export function olderLink(t: Translator, cursor: string | undefined, query?: string): Html | undefined {
  if (cursor === undefined) return undefined;
  const path = query === undefined ? `?max_id=${cursor}` : `?max_id=${cursor}&${query}`;
  return html`<p><a class="button quiet" rel="next" href="${path}">${t.text('posts.older')}</a></p>`;
}

/** The first posts that weigh no more than `bytes`, but at least `least` of them. */
export function statusParts(t: Translator, posts: readonly ShownStatus[], bytes: number, least = 0): Html[] {
  const shown: Html[] = [];
  let weight = 0;
  for (const post of posts) {
    const part = statusPart(t, post);
    weight += Buffer.byteLength(part.toString());
    if (weight > bytes && shown.length >= least) break;
    shown.push(part);
  }
  return shown;
}

/** A post. Its content warning folds the rest, without a script. */
export function statusPart(t: Translator, post: ShownStatus, place: StatusPlace = FOR_VISITORS): Html {
  const { reblogger, warning, filters } = post;
  const body = html`${words(post)} ${post.poll && pollPart(t, post, post.poll, place)} ${files(t, post)}
  ${quoted(post, place)}`;
  const open = warning === '' ? body : folded(picturedText(warning, post.emojis), body);
  return html`<article class="post" id="post-${post.cursor}">
    ${reblogger && html`<p class="soft">${t.html('post.boosted', { name: person(reblogger, place) })}</p>`}
    ${head(t, post, place)}
    ${filters.length === 0 ? open : folded(t.text('post.filtered', { filters: filters.join(', ') }), open)}
    ${place.actions?.(t, post)}
  </article>`;
}

function folded(summary: Html | string, body: Html): Html {
  return html`<details>
    <summary>${summary}</summary>
    ${body}
  </details>`;
}

function head(t: Translator, post: ShownStatus, place: StatusPlace): Html {
  const { author, createdAt, editedAt, answerTo } = post;
  return html`<header>
    <img class="face" src="${author.avatar}" alt="" width="48" height="48" loading="lazy" />
    <div>
      ${person(author, place)}
      <p class="soft">
        ${bdi(`@${author.handle}`)} ·
        <a href="${place.status(post)}"><time datetime="${createdAt}">${t.moment(createdAt)}</time></a>
        ${editedAt !== null && html` · ${t.text('post.edited', { day: t.day(editedAt) })}`}
        ${!post.isListed && html` · ${t.text(`visibility.${post.visibility}`)}`}
      </p>
      ${answerTo !== null && html`<p class="soft">${answered(t, post, bdi(`@${answerTo}`), place)}</p>`}
    </div>
  </header>`;
}

/** Whom a post answers, with a link to the answered post where the viewer may see it. */
function answered(t: Translator, { parentId }: ShownStatus, name: Html, place: StatusPlace): Html {
  const text = t.html('post.answers-to', { name });
  return parentId === null
    ? text
    : html`<a href="${place.status({ id: parentId, url: `/notice/${parentId}` })}">${text}</a>`;
}

function person(someone: ShownPerson, place: StatusPlace): Html {
  return html`<a class="name" href="${place.person(someone)}">${nameOf(someone)}</a>`;
}

function words({ html: content, language, emojis }: ShownStatus): Html {
  return html`<div class="words" ${language !== null && html`lang="${language}"`} dir="auto">
    ${pictured(content, emojis)}
  </div>`;
}

/** The quoted post, in short. */
function quoted({ quote }: ShownStatus, place: StatusPlace): Html | undefined {
  if (!quote) return undefined;
  return html`<blockquote cite="${quote.url}">
    ${person(quote.author, place)}
    <p><a href="${place.status(quote)}">${bdi(quote.words || '…')}</a></p>
  </blockquote>`;
}

/** Folds sensitive files of posts without a content warning. */
function files(t: Translator, { files: all, isSensitive, warning }: ShownStatus): Html | undefined {
  if (all.length === 0) return undefined;
  const shown = html`<div class="files">${all.map((file) => filePart(t, file))}</div>`;
  if (!isSensitive || warning !== '') return shown;
  return html`<details>
    <summary>${t.text('post.sensitive')}</summary>
    ${shown}
  </details>`;
}

/** A single file. */
export function filePart(
  t: Translator,
  { type, isNotHidden, url, previewUrl, description, mimeType, width, height }: ShownFile,
): Html {
  const size = width !== undefined && height !== undefined && html`width="${width}" height="${height}"`;
  switch (isNotHidden ? type : 'unknown') {
    case 'image':
      return html`<a href="${url}"><img src="${previewUrl}" alt="${description}" ${size} loading="lazy" /></a>`;
    case 'video':
      return html`<video src="${url}" ${size} aria-label="${description}" controls preload="none"></video>`;
    case 'audio':
      return html`<audio src="${url}" aria-label="${description}" controls preload="none"></audio>`;
    case 'unknown':
      return html`<a href="${url}">${description || t.text('post.file', { type: mimeType })}</a>`;
  }
}
