import { bdi, type Html, html, type Translator } from '../../common/index.js';
import { nameOf, pictured, picturedText } from './emoji.part.js';
import type { ShownCard, ShownFile, ShownPerson, ShownStatus } from './shown.js';
import { countsPart } from './counts.part.js';
import { badges } from './people.part.js';
import { pollPart } from './poll.part.js';

/** The weight limit of a list: with the frame, the stylesheet and the script a page stays below 100 kB (without pictures). */
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
  /** What stands below a post, such as its buttons. */
  actions?(t: Translator, post: ShownStatus): Html | undefined;
  /** The path of a vote for an option of a post's poll. */
  vote?(post: ShownStatus): string;
}

/** Pages for visitors: they lead to public pages, here and elsewhere. */
export const FOR_VISITORS: StatusPlace = { person: ({ url }) => url, status: ({ url }) => url, actions: countsPart };

/** How a post is shown. */
export interface StatusOptions {
  /** Whether a long post shows its beginning, and the rest on demand. */
  readonly isFolded?: boolean;
  readonly isPinned?: boolean;
}

/** Longer posts are folded in lists, in characters and in lines. */
const LONG = { length: 1_200, lines: 20 } as const;

/** What a list has besides its posts. */
export interface ListOptions {
  /** Posts that stand before it, on the first page: at least one of them. Those without room stay among the others. */
  readonly pinned?: readonly ShownStatus[];
  /** The rest of the query that its next page needs, such as `show=media`. */
  readonly query?: string | undefined;
}

/** A list of posts with a link to older ones; posts beyond the weight limit are on the next page. */
export function statusList(t: Translator, { posts, next }: StatusPage, { pinned = [], query }: ListOptions = {}): Html {
  const first = statusParts(t, pinned, LIST_BYTES / 3, { least: 1, options: { isPinned: true } });
  const above = new Set(pinned.slice(0, first.length).map(({ cursor }) => cursor));
  const others = posts.filter(({ cursor }) => !above.has(cursor));
  const shown = statusParts(t, others, LIST_BYTES - weightOf(first), { least: 1 });
  const older = shown.length < others.length ? others[shown.length - 1]?.cursor : next;
  return postsPart(t, [...first, ...shown], older, { query });
}

/** The posts of a page, with the link to older ones. Filters and settings may hide all of a page that is not the last. */
export function postsPart(
  t: Translator,
  posts: readonly Html[],
  older: string | undefined,
  { above, query }: { readonly above?: Html | undefined; readonly query?: string | undefined } = {},
): Html {
  const isEmpty = posts.length === 0 && !above && older === undefined;
  if (isEmpty) return html`<p class="soft">${t.text('posts.empty')}</p>`;
  return html`${above}
    <div class="posts" id="posts">${posts}</div>
    ${olderLink(t, older, query)}`;
}

/** The link to the next page of a list. */
export function olderLink(t: Translator, cursor: string | undefined, query?: string): Html | undefined {
  if (cursor === undefined) return undefined;
  const path = query === undefined ? `?max_id=${cursor}` : `?max_id=${cursor}&${query}`;
  return html`<p><a class="button quiet" rel="next" href="${path}">${t.text('posts.older')}</a></p>`;
}

/** The first posts that weigh no more than `bytes`, but at least `least` of them. */
export function statusParts(
  t: Translator,
  posts: readonly ShownStatus[],
  bytes: number,
  { least = 0, options }: { readonly least?: number; readonly options?: StatusOptions } = {},
): Html[] {
  const shown: Html[] = [];
  let weight = 0;
  for (const post of posts) {
    const part = statusPart(t, post, FOR_VISITORS, { isFolded: true, ...options });
    weight += weightOf([part]);
    if (weight > bytes && shown.length >= least) break;
    shown.push(part);
  }
  return shown;
}

function weightOf(parts: readonly Html[]): number {
  return Buffer.byteLength(parts.join(''));
}

/** A post. Its content warning folds the rest, without a script. */
export function statusPart(
  t: Translator,
  post: ShownStatus,
  place: StatusPlace = FOR_VISITORS,
  { isFolded = false, isPinned = false }: StatusOptions = {},
): Html {
  const { reblogger, warning, filters } = post;
  const body = bodyOf(t, post, place, isFolded);
  const open = warning === '' ? body : folded(picturedText(warning, post.emojis), body);
  return html`<article class="post" id="post-${post.cursor}">
    ${isPinned && html`<p class="soft">${t.text('post.pinned')}</p>`}
    ${reblogger && html`<p class="soft">${t.html('post.boosted', { name: person(reblogger, place) })}</p>`}
    ${head(t, post, place)}
    ${filters.length === 0 ? open : folded(t.text('post.filtered', { filters: filters.join(', ') }), open)}
    ${place.actions?.(t, post)}
  </article>`;
}

function bodyOf(t: Translator, post: ShownStatus, place: StatusPlace, isFolded: boolean): Html {
  const text = isFolded && isLong(post) ? longPart(t, words(post)) : words(post);
  return html`${text} ${post.poll && pollPart(t, post, post.poll, place)} ${files(t, post)} ${quoted(post, place)}
  ${cardPart(post)}`;
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
      ${person(author, place)} ${badges(t, author)}
      <p class="soft">
        ${bdi(`@${author.handle}`)} &middot;
        <a href="${place.status(post)}"><time datetime="${createdAt}">${t.moment(createdAt)}</time></a>
        ${editedAt !== null && html` &middot; ${t.text('post.edited', { day: t.day(editedAt) })}`}
        ${!post.isListed && html` &middot; ${t.text(`visibility.${post.visibility}`)}`}
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

function isLong({ text }: ShownStatus): boolean {
  return text.length > LONG.length || text.split('\n').length > LONG.lines;
}

/** Browsers that know the style show the beginning too; the others fold the whole text. */
function longPart(t: Translator, text: Html): Html {
  return html`<details class="long">
    <summary><span>${t.text('post.whole')}</span><span>${t.text('post.shorter')}</span></summary>
    ${text}
  </details>`;
}

/** The preview of the linked page, where no files and no quote show what the post is about. */
function cardPart({ card, files, quote }: ShownStatus): Html | undefined {
  return card && files.length === 0 && !quote ? preview(card) : undefined;
}

function preview({ url, title, description, provider, image }: ShownCard): Html {
  return html`<a class="preview" href="${url}" rel="nofollow noopener ugc">
    ${image !== undefined && html`<img src="${image}" alt="" width="96" height="96" loading="lazy" />`}
    <span dir="auto"
      ><small>${provider}</small>
      <b>${bdi(title)}</b> ${description !== '' && html`<small>${bdi(description)}</small>`}</span
    >
  </a>`;
}

/** The quoted post, in short. */
function quoted({ quote }: ShownStatus, place: StatusPlace): Html | undefined {
  if (!quote) return undefined;
  return html`<blockquote cite="${quote.url}">
    ${person(quote.author, place)}
    <p><a href="${place.status(quote)}">${bdi(quote.words || '…')}</a></p>
  </blockquote>`;
}

/** The most pictures whose number decides their arrangement. */
const MOST_TILES = 5;

/** Folds sensitive files of posts without a content warning. */
function files(t: Translator, { files: all, isSensitive, warning }: ShownStatus): Html | undefined {
  if (all.length === 0) return undefined;
  const tiles = all.filter(({ type, isNotHidden }) => isNotHidden && (type === 'image' || type === 'video')).length;
  const shown = html`<div class="files of-${Math.min(tiles, MOST_TILES)}">
    ${all.map((file) => filePart(t, file))}
  </div>`;
  if (!isSensitive || warning !== '') return shown;
  return html`<details>
    <summary>${t.text('post.sensitive')}</summary>
    ${shown}
  </details>`;
}

/** A single file. */
export function filePart(t: Translator, file: ShownFile): Html {
  const { type, isNotHidden, url, previewUrl, description, mimeType, width, height } = file;
  const size = width !== undefined && height !== undefined && html`width="${width}" height="${height}"`;
  const name = (key: 'post.picture' | 'post.recording' | 'post.video') => description || t.text(key);
  switch (isNotHidden ? type : 'unknown') {
    case 'image':
      return html`<a href="${url}"
        ><img src="${previewUrl}" alt="${name('post.picture')}" ${size} loading="lazy"
      /></a>`;
    case 'video':
      return html`<video src="${url}" ${size} aria-label="${name('post.video')}" controls preload="none"></video>`;
    case 'audio':
      return html`<audio src="${url}" aria-label="${name('post.recording')}" controls preload="none"></audio>`;
    case 'unknown':
      return html`<a href="${url}">${description || t.text('post.file', { type: mimeType })}</a>`;
  }
}
