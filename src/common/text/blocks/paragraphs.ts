import { KEPT_BLOCKS } from './elements.js';

const BLOCKS: ReadonlySet<string> = new Set(KEPT_BLOCKS);
const TAG_OR_TEXT = /<(\/?)([a-z][a-z0-9]*)[^>]*>|[^<]+/g;

/**
 * Canonical HTML whose text stands in blocks: what stands beside them becomes paragraphs, which blank lines separate.
 * Mastodon shows the last hashtag of a post without paragraphs twice.
 */
export function inParagraphs(html: string): string {
  const paragraphs = new Paragraphs();
  for (const [part, slash, name] of html.matchAll(TAG_OR_TEXT)) {
    if (name === 'br') paragraphs.line();
    else if (name === undefined || name === 'img') paragraphs.content(part);
    else paragraphs.tag(part, BLOCKS.has(name), slash === '');
  }
  return paragraphs.end();
}

class Paragraphs {
  private readonly written: string[] = [];
  private paragraph: string[] = [];
  private hasText = false;
  /** Elements around the place: those of the paragraph, or a block and what is in it. */
  private depth = 0;
  private isInBlock = false;
  /** Lines that end here. */
  private lines = 0;

  line(): void {
    if (this.depth > 0) this.paragraph.push('<br>');
    else this.lines += 1;
  }

  content(part: string): void {
    const isBlank = part.trim() === '';
    if (isBlank && this.lines > 0) return;
    this.endLines();
    this.paragraph.push(part);
    this.hasText ||= !isBlank;
  }

  tag(tag: string, isBlock: boolean, isOpening: boolean): void {
    if (isOpening && isBlock && this.depth === 0) this.end();
    else if (isOpening) this.endLines();
    this.isInBlock ||= isBlock;
    this.paragraph.push(tag);
    this.depth += isOpening ? 1 : -1;
    if (this.depth === 0 && this.isInBlock) this.end();
  }

  /** Ends the paragraph; returns all of them. Those with blocks are none. */
  end(): string {
    const content = this.paragraph.join('');
    this.written.push(this.hasText && !this.isInBlock ? `<p>${content}</p>` : content);
    this.paragraph = [];
    this.hasText = this.isInBlock = false;
    this.lines = 0;
    return this.written.join('');
  }

  private endLines(): void {
    if (this.lines > 1) this.end();
    else if (this.lines === 1 && this.hasText) this.paragraph.push('<br>');
    this.lines = 0;
  }
}
