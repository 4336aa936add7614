import { escapeHtml } from '../common/index.js';
import { picturedElsewhere } from './emoji.part.js';
import type { ShownPerson, ShownPost } from './shown.js';

/** A list of posts for programs that people read news with. */
export interface Feed {
  /** Never changes, whatever page of it is read. */
  readonly id: string;
  readonly title: string;
  readonly subtitle: string;
  /** When anything on this page was written or edited last. */
  readonly updatedAt: string;
  /** Its own address. */
  readonly url: string;
  /** The page that people read. */
  readonly pageUrl: string;
  readonly nextUrl: string | undefined;
  /** Whose it is; undefined where posts of many stand together. */
  readonly author: ShownPerson | undefined;
  readonly software: string;
  readonly entries: readonly FeedEntry[];
}

export interface FeedEntry {
  readonly post: ShownPost;
  readonly title: string;
  /** The bytes of its files, by their ids, as far as they are known. */
  readonly sizes: ReadonlyMap<string, string>;
}

/** What stands in the entry itself, as HTML: what its author warns of comes before everything else. */
export function entryHtml({ html, warning, poll, emojis }: ShownPost): string {
  const options = poll?.options.map(({ title }) => `<li>${escapeHtml(title)}</li>`) ?? [];
  const body = options.length === 0 ? html : `${html}<ul>${options.join('')}</ul>`;
  const whole = warning === '' ? body : `<details><summary>${escapeHtml(warning)}</summary>${body}</details>`;
  return picturedElsewhere(whole, emojis);
}

/** When the newest of the posts was written or edited. */
export function newestOf(posts: readonly ShownPost[]): string | undefined {
  return posts
    .map(({ createdAt, editedAt }) => editedAt ?? createdAt)
    .sort()
    .at(-1);
}
