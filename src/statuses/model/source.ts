/** What a post was typed as, and what it shows as plain text. */
interface Typed {
  /** Null when only the HTML is known. */
  readonly source: string | null;
  readonly contentText: string;
}

/**
 * What `statuses.source` holds: nothing for a text that is its own source, as nearly every text without Markdown, HTML or
 * mentions of other servers is. An empty source always means the text, which is empty too where nothing was typed.
 */
export function storedSource({ source, contentText }: Typed): string | null {
  return source === contentText ? '' : source;
}

/** The text as it was typed, as SQL; null when only the HTML is known. */
export function sourceOf(status: string): string {
  return `case when ${status}.source = '' then ${status}.content_text else ${status}.source end`;
}
