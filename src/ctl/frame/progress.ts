/** Fewer rows take no time that needs lines. */
const MANY = 100_000;
const PARTS = 10;

/** Whether a check of so many rows tells how far it is. */
export function isLong(rows: number): boolean {
  return rows >= MANY;
}

/** Tells how far a check is when it begins, and after each tenth of the rows that are expected; nothing for few rows. */
export class Progress {
  private next = 0;

  /** @param expected rows, as PostgreSQL estimates them */
  constructor(
    private readonly name: string,
    private readonly expected: number,
    private readonly tell: (line: string) => void,
  ) {
    this.reach(0);
  }

  /** Takes the number of rows that are done. */
  reach(done: number): void {
    if (!isLong(this.expected) || done < this.next) return;
    const part = Math.floor((done * PARTS) / this.expected);
    this.next = ((part + 1) * this.expected) / PARTS;
    this.tell(`...    ${this.name}: ${done} of about ${this.expected} rows`);
  }
}
