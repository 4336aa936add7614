import { readPage } from './page-reader.js';

/** The metadata in the head of a page. */
export interface PageMeta {
  /** The text of `<title>`. */
  readonly title: string;
  /** The first content of each `<meta>`, by its property or name in lower case. */
  readonly meta: ReadonlyMap<string, string>;
  /** The address of its oEmbed description, as written. */
  readonly oembed: string | undefined;
}

const MAX_METAS = 200;
const MAX_LENGTH = 4_096;
const OEMBED = 'application/json+oembed';

/** Reads the metadata of a page. All of it is untrusted plain text. */
export async function metaOfPage(html: string): Promise<PageMeta> {
  const meta = new Map<string, string>();
  let [title, isInTitle, hasTitle] = ['', false, false];
  let oembed: string | undefined;
  await readPage(html, {
    open(name, attributes) {
      isInTitle = name === 'title' && !hasTitle;
      if (name === 'meta') note(meta, attributes);
      else if (name === 'link' && attributes['type']?.toLowerCase() === OEMBED) oembed ??= attributes['href'];
    },
    text(text) {
      if (isInTitle && title.length < MAX_LENGTH) title += text;
    },
    close(name) {
      hasTitle ||= name === 'title';
      isInTitle = false;
    },
  });
  return { title, meta, oembed };
}

function note(meta: Map<string, string>, { property, name, content }: Readonly<Record<string, string>>): void {
  const key = (property ?? name)?.trim().toLowerCase();
  if (!key || content === undefined || key.length > MAX_LENGTH || meta.has(key) || meta.size >= MAX_METAS) return;
  meta.set(key, content.slice(0, MAX_LENGTH));
}
