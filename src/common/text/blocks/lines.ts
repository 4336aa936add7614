import { CELLS, HEADINGS, KEPT_BLOCKS, LOOSE_BLOCKS } from './elements.js';

const DROPPED: ReadonlySet<string> = new Set([...HEADINGS, ...LOOSE_BLOCKS, ...CELLS]);
const KEPT: ReadonlySet<string> = new Set(KEPT_BLOCKS);
const TAG_OR_TEXT = /<(\/?)([a-z][a-z0-9]*)[^>]*>|[^<]+/g;
const DROPPED_TAG = new RegExp(`<(?:${[...DROPPED].join('|')})(?=[\\s>])`);
/** Any tag of a value that has links only. */
const BOUNDARIES = /(?:<(?!\/?a[\s>])[^>]*>)+/g;

/**
 * Canonical HTML in which headings are bold paragraphs, and lines and spaces stand for the other elements that posts do
 * not keep: where a block starts or ends, its text does not run into that beside it.
 */
export function withLines(html: string): string {
  if (!DROPPED_TAG.test(html)) return html;
  const lines = new Lines();
  for (const [part, slash, name] of html.matchAll(TAG_OR_TEXT)) {
    if (name === undefined) lines.text(part);
    else if (HEADINGS.includes(name)) lines.heading(slash === '');
    else if (CELLS.includes(name)) lines.leave(' ');
    else if (DROPPED.has(name)) lines.leave('<br>');
    else if (name === 'br' || KEPT.has(name)) lines.block(part, name);
    else lines.inline(part, slash === '', name);
  }
  return lines.toString();
}

/** Canonical HTML of links and blocks as one line: a space stands for every boundary. */
export function inOneLine(html: string): string {
  return html.replace(BOUNDARIES, ' ').trim();
}

class Lines {
  private readonly written: string[] = [];
  /** Whether the line has something that is visible. */
  private hasText = false;
  /** What has to stand before the next visible thing on the line. */
  private gap: '' | ' ' | '<br>' = '';
  private headings = 0;

  text(text: string): void {
    if (text.trim() === '' && this.gap !== '') return;
    this.written.push(this.fill() ? text.trimStart() : text);
    this.hasText ||= text.trim() !== '';
  }

  inline(tag: string, isOpening: boolean, name: string): void {
    if (isOpening) this.fill();
    this.written.push(tag);
    this.hasText ||= name === 'img';
  }

  /** Headings hold no blocks: lines stand for those within. */
  block(tag: string, name: string): void {
    if (this.headings > 0 && name !== 'br') this.leave('<br>');
    else this.line(tag);
  }

  heading(isOpening: boolean): void {
    const isOutermost = this.headings === (isOpening ? 0 : 1);
    this.headings += isOpening ? 1 : -1;
    if (isOutermost) this.line(isOpening ? '<p><strong>' : '</strong></p>');
    else this.leave('<br>');
  }

  leave(gap: ' ' | '<br>'): void {
    if (this.gap !== '<br>') this.gap = gap;
  }

  toString(): string {
    return this.written.join('');
  }

  private line(tag: string): void {
    this.written.push(tag);
    this.hasText = false;
    this.gap = '';
  }

  /** Writes the gap between what is on the line and what follows; whether there was one. */
  private fill(): boolean {
    const { gap } = this;
    if (gap !== '' && this.hasText) {
      const last = this.written.at(-1) ?? '';
      if (!last.startsWith('<')) this.written.splice(-1, 1, last.trimEnd());
      this.written.push(gap);
      this.hasText = gap === ' ';
    }
    this.gap = '';
    return gap !== '';
  }
}
