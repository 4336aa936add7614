import { bdi, type Html, html, type Translator } from '../../common/index.js';
import { nameOf, pictured, picturedText } from './emoji.part.js';
import type { ShownFile, ShownPerson, ShownStatus } from './shown.js';
import type { StatusPage } from './visitors.service.js';

/** The weight limit of a list: with the frame and the stylesheet a page stays below 50 kB (without pictures). */
export const LIST_BYTES = 28_000;

/** A list of posts with a link to older ones; posts beyond the weight limit are on the next page. */
export function statusList(t: Translator, { posts, next }: StatusPage): Html {
  if (posts.length === 0) return html`<p class="soft">${t.text('posts.empty')}</p>`;
  const shown = statusParts(t, posts, LIST_BYTES, 1);
  const older = shown.length < posts.length ? posts[shown.length - 1]?.cursor : next;
  return html`<div class="posts">${shown}</div>
    ${older !== undefined && html`<p><a class="button quiet" rel="next" href="?max_id=${older}">${t.text('posts.older')}</a></p>`}`;
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
export function statusPart(t: Translator, post: ShownStatus): Html {
  const { author, reblogger, warning, url, createdAt, editedAt } = post;
  const body = html`${words(t, post)} ${files(t, post)} ${quoted(post)}`;
  return html`<article class="post">
    ${reblogger && html`<p class="soft">${t.html('post.boosted', { name: person(reblogger) })}</p>`}
    <header>
      <img class="face" src="${author.avatar}" alt="" width="48" height="48" loading="lazy" />
      <div>
        ${person(author)}
        <p class="soft">
          ${bdi(`@${author.handle}`)} · <a href="${url}"><time datetime="${createdAt}">${t.day(createdAt)}</time></a>
          ${editedAt !== null && html` · ${t.text('post.edited', { day: t.day(editedAt) })}`}
        </p>
      </div>
    </header>
    ${
      warning === ''
        ? body
        : html`<details>
            <summary>${picturedText(warning, post.emojis)}</summary>
            ${body}
          </details>`
    }
  </article>`;
}

function person(someone: ShownPerson): Html {
  return html`<a class="name" href="${someone.url}">${nameOf(someone)}</a>`;
}

function words(t: Translator, { html: content, language, poll, emojis }: ShownStatus): Html {
  const options = poll?.options.map(
    ({ title, votes_count: votes }) =>
      html`<li>
        ${picturedText(title, emojis)}
        ${votes !== null && html`<span class="soft">${t.number(votes)} ${t.text('post.votes', { count: votes })}</span>`}
      </li>`,
  );
  return html`<div class="words" ${language !== null && html`lang="${language}"`} dir="auto">
      ${pictured(content, emojis)}
    </div>
    ${
      options &&
      html`<ul>
        ${options}
      </ul>`
    }`;
}

/** The quoted post, in short. */
function quoted({ quote }: ShownStatus): Html | undefined {
  if (!quote) return undefined;
  return html`<blockquote cite="${quote.url}">
    ${person(quote.author)}
    <p><a href="${quote.url}">${bdi(quote.words || '…')}</a></p>
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
