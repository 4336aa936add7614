const WORDS = [
  ...['morning', 'coffee', 'garden', 'server', 'rain', 'train', 'bread', 'window', 'music', 'yesterday', 'nobody'],
  ...['really', 'quiet', 'street', 'winter', 'update', 'photo', 'river', 'bicycle', 'library', 'neighbour', 'finally'],
  ...['release', 'sleep', 'green', 'kitchen', 'letter', 'harbour', 'weather', 'question', 'answer', 'market'],
];

/** A seeded random generator. */
export class Chance {
  private state: number;

  constructor(seed = 20_260_101) {
    this.state = seed | 0;
  }

  /** From 0 to below 1 (mulberry32). */
  number(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 to below `end`. */
  below(end: number): number {
    return Math.floor(this.number() * end);
  }

  /** True in `share` of 100 cases. */
  percent(share: number): boolean {
    return this.number() * 100 < share;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  text(words: number): string {
    return Array.from({ length: words }, () => this.pick(WORDS)).join(' ');
  }
}
