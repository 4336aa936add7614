import { bdi, type Html, html, safe, type Translator } from '../common/index.js';
import type { ShownFile, ShownPerson, ShownPost } from './shown.js';
import type { PostPage } from './visitors.service.js';

/** What a list of posts may weigh: with the frame and the stylesheet a page stays below 50 kB (pictures apart). */
const LIST_BYTES = 28_000;

/** A list of posts and the way to older ones; those that would make the page too heavy stand on the next one. */
export function postList(t: Translator, { posts, next }: PostPage): Html {
  if (posts.length === 0) return html`<p class="soft">${t.text('posts.empty')}</p>`;
  const shown: Html[] = [];
  let bytes = 0;
  for (const post of posts) {
    const part = postPart(t, post);
    bytes += Buffer.byteLength(part.toString());
    if (bytes > LIST_BYTES && shown.length > 0) break;
    shown.push(part);
  }
  const older = shown.length < posts.length ? posts[shown.length - 1]?.cursor : next;
  return html`<div class="posts">${shown}</div>
    ${older !== undefined && html`<p><a class="button quiet" rel="next" href="?max_id=${older}">${t.text('posts.older')}</a></p>`}`;
}

/** A post. What its author warns of is folded, without any script. */
export function postPart(t: Translator, post: ShownPost): Html {
  const { author, booster, warning, url, createdAt, editedAt } = post;
  const body = html`${words(t, post)} ${files(t, post)}`;
  return html`<article class="post">
    ${booster && html`<p class="soft">${t.html('post.boosted', { name: person(booster) })}</p>`}
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
            <summary>${bdi(warning)}</summary>
            ${body}
          </details>`
    }
  </article>`;
}

function person({ name, url }: ShownPerson): Html {
  return html`<a class="name" href="${url}">${bdi(name)}</a>`;
}

function words(t: Translator, { html: content, language, poll }: ShownPost): Html {
  const options = poll?.options.map(
    ({ title, votes_count: votes }) =>
      html`<li>
        ${bdi(title)}
        ${votes !== null && html`<span class="soft">${t.number(votes)} ${t.text('post.votes', { count: votes })}</span>`}
      </li>`,
  );
  return html`<div class="words" ${language !== null && html`lang="${language}"`} dir="auto">${safe(content)}</div>
    ${
      options &&
      html`<ul>
        ${options}
      </ul>`
    }`;
}

/** Without a warning, files that are not for everybody are folded by themselves. */
function files(t: Translator, { files: all, isSensitive, warning }: ShownPost): Html | undefined {
  if (all.length === 0) return undefined;
  const shown = html`<div class="files">${all.map((file) => filePart(t, file))}</div>`;
  if (!isSensitive || warning !== '') return shown;
  return html`<details>
    <summary>${t.text('post.sensitive')}</summary>
    ${shown}
  </details>`;
}

function filePart(t: Translator, { type, url, previewUrl, description, mimeType, width, height }: ShownFile): Html {
  const size = width !== undefined && height !== undefined && html`width="${width}" height="${height}"`;
  switch (type) {
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
