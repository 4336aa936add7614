import { escapeHtml } from '../../common/index.js';
import { picturedElsewhere } from '../parts/emoji.part.js';
import type { ShownPerson, ShownQuote, ShownStatus } from '../parts/shown.js';

/** A list of posts for feed readers. */
export interface Feed {
  /** The same for every page of the feed. */
  readonly id: string;
  readonly title: string;
  readonly subtitle: string;
  /** The newest creation or edit on this page. */
  readonly updatedAt: string;
  /** The address of this page of the feed. */
  readonly url: string;
  /** The HTML page of the feed. */
  readonly pageUrl: string;
  readonly nextUrl: string | undefined;
  /** The author; undefined for feeds of several authors. */
  readonly author: ShownPerson | undefined;
  readonly software: string;
  readonly entries: readonly FeedEntry[];
}

export interface FeedEntry {
  readonly post: ShownStatus;
  readonly title: string;
  /** The known sizes of its files in bytes, by id. */
  readonly sizes: ReadonlyMap<string, string>;
}

/** The content of an entry as HTML: the content warning comes first. */
export function entryHtml({ html, warning, poll, emojis, quote }: ShownStatus): string {
  const options = poll?.options.map(({ title }) => `<li>${escapeHtml(title)}</li>`) ?? [];
  const list = options.length === 0 ? '' : `<ul>${options.join('')}</ul>`;
  const body = `${html}${list}${quote ? quoteHtml(quote) : ''}`;
  const whole = warning === '' ? body : `<details><summary>${escapeHtml(warning)}</summary>${body}</details>`;
  return picturedElsewhere(whole, emojis);
}

function quoteHtml({ url, words, author }: ShownQuote): string {
  const [link, text, name] = [url, words, author.name].map(escapeHtml);
  return `<blockquote cite="${link}"><p>${text}</p><a href="${link}">${name}</a></blockquote>`;
}

/** The newest creation or edit of the posts. */
export function newestOf(posts: readonly ShownStatus[]): string | undefined {
  return posts
    .map(({ createdAt, editedAt }) => editedAt ?? createdAt)
    .sort()
    .at(-1);
}
