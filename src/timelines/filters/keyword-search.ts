import { normalized } from '../../common/index.js';

/** A word or phrase to find in texts. */
export interface Keyword {
  readonly keyword: string;
  /** Whether the keyword matches whole words only, at each end that is a letter. */
  readonly wholeWord: boolean;
}

interface Needle extends Keyword {
  /** In UTF-16 units of the folded text. */
  readonly length: number;
  readonly startsInWord: boolean;
  readonly endsInWord: boolean;
}

const ROOT = 0;
const UNITS = 0x10000;
const WORD = /^[\p{L}\p{M}\p{N}\p{Pc}]/u;

/**
 * Finds many keywords in one pass over a text (Aho-Corasick): a text of `n` characters takes a number of steps
 * proportional to `n`, for any keywords. Ignores case, character width and the kind of white space. No character
 * is special.
 */
export class KeywordSearch {
  private readonly needles: readonly Needle[];
  /** Node by parent and next UTF-16 unit. A node stands for a prefix of keywords. */
  private readonly edges = new Map<number, number>();
  /** By node: the node of the longest proper suffix of its text. */
  private readonly fallback: number[] = [ROOT];
  /** By node: the indices of the keywords equal to its text. */
  private readonly complete: number[][] = [[]];
  /** By node: the node of the longest proper suffix of its text that is a keyword. */
  private readonly inner: number[] = [ROOT];

  constructor(keywords: readonly Keyword[]) {
    const folded = keywords.map(({ keyword }) => fold(keyword));
    this.needles = keywords.map((keyword, at) => needleOf(keyword, folded[at] ?? ''));
    for (const [index, text] of folded.entries()) this.add(text, index);
    this.link();
  }

  /** The memory use in nodes. */
  get size(): number {
    return this.complete.length;
  }

  /** Returns the indices of the keywords in a text. */
  find(text: string): Set<number> {
    const found = new Set<number>();
    const folded = fold(text);
    let node = ROOT;
    for (let at = 0; at < folded.length && found.size < this.needles.length; at += 1) {
      node = this.next(node, folded.charCodeAt(at));
      for (let end = node; end !== ROOT; end = this.inner[end] ?? ROOT) {
        for (const index of this.complete[end] ?? []) if (this.stands(index, folded, at + 1)) found.add(index);
      }
    }
    return found;
  }

  private add(text: string, index: number): void {
    let node = ROOT;
    for (let at = 0; at < text.length; at += 1) {
      const edge = edgeOf(node, text.charCodeAt(at));
      node = this.edges.get(edge) ?? this.grow(edge);
    }
    if (node !== ROOT) this.complete[node]?.push(index);
  }

  private grow(edge: number): number {
    const node = this.complete.push([]) - 1;
    this.fallback.push(ROOT);
    this.inner.push(ROOT);
    this.edges.set(edge, node);
    return node;
  }

  /** Links shorter prefixes first, since the links of longer ones depend on them. */
  private link(): void {
    for (const [edge, node] of this.byDepth()) {
      const parent = Math.floor(edge / UNITS);
      const fallback = parent === ROOT ? ROOT : this.next(this.fallback[parent] ?? ROOT, edge % UNITS);
      this.fallback[node] = fallback;
      const isKeyword = (this.complete[fallback] ?? []).length > 0;
      this.inner[node] = isKeyword ? fallback : (this.inner[fallback] ?? ROOT);
    }
  }

  private byDepth(): [number, number][] {
    const depths: number[] = [0];
    const edges = [...this.edges]; // insertion order: parents come before their children
    for (const [edge, node] of edges) depths[node] = (depths[Math.floor(edge / UNITS)] ?? 0) + 1;
    return edges.sort(([, a], [, b]) => (depths[a] ?? 0) - (depths[b] ?? 0));
  }

  private next(from: number, unit: number): number {
    for (let node = from; ; node = this.fallback[node] ?? ROOT) {
      const child = this.edges.get(edgeOf(node, unit));
      if (child !== undefined) return child;
      if (node === ROOT) return ROOT;
    }
  }

  private stands(index: number, text: string, end: number): boolean {
    const needle = this.needles[index];
    if (!needle?.wholeWord) return needle !== undefined;
    if (needle.endsInWord && isWordAt(text, end)) return false;
    return !(needle.startsInWord && isWordBefore(text, end - needle.length));
  }
}

/** Returns the folded form in which texts are compared. */
export function fold(text: string): string {
  return normalized(text, 'NFKC')
    .toUpperCase() // so that `ß` is `ss`
    .toLowerCase()
    .replaceAll('ς', 'σ') // the final form of the same letter
    .replace(/\s+/gu, ' ')
    .trim();
}

function needleOf(keyword: Keyword, folded: string): Needle {
  return {
    ...keyword,
    length: folded.length,
    startsInWord: isWordAt(folded, 0),
    endsInWord: isWordBefore(folded, folded.length),
  };
}

function edgeOf(node: number, unit: number): number {
  return node * UNITS + unit;
}

function isWordAt(text: string, at: number): boolean {
  const point = text.codePointAt(at);
  return point !== undefined && WORD.test(String.fromCodePoint(point));
}

function isWordBefore(text: string, at: number): boolean {
  if (at <= 0) return false;
  const isSecondHalf = (text.charCodeAt(at - 1) & 0xfc00) === 0xdc00;
  return isWordAt(text, isSecondHalf && at > 1 ? at - 2 : at - 1);
}
